#!/usr/bin/env bash
# The Redis checks run against a real redis-server too. Installed where that is allowed, named where it is not.
set -euo pipefail
command -v redis-server >/dev/null && exit 0
if [[ $(id -u) -ne 0 ]] || ! command -v apt-get >/dev/null; then
  echo 'redis-server is missing. Install it: sudo apt-get install -y redis-server' >&2
  exit 1
fi
echo 'Installing redis-server (once) …'
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install_redis() { apt-get install -y --no-install-recommends redis-server >"$log" 2>&1; }
install_redis || { apt-get update >>"$log" 2>&1 && install_redis; } || { cat "$log" >&2; echo 'redis-server cannot be installed; install it by hand: apt-get install -y redis-server' >&2; exit 1; }
