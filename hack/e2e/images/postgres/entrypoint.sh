#!/usr/bin/env bash
# Makes the database cluster on the first start, then becomes the server.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_PASSWORD:?set POSTGRES_PASSWORD}"
  initdb --pgdata="$PGDATA" --username=postgres --auth=scram-sha-256 --encoding=UTF8 --locale=C --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD")
  printf 'host all all all scram-sha-256\n' >> "$PGDATA/pg_hba.conf"
fi
exec postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql
