#!/usr/bin/env bash
# Some tests run against real programs of the system (redis-server, chromium): ensure-program.sh NAME, which is the
# package's name too. Installed where that is allowed, named where it is not.
set -euo pipefail
readonly program=$1
command -v "$program" >/dev/null && exit 0
if [[ $(id -u) -ne 0 ]] || ! command -v apt-get >/dev/null; then
  echo "$program is missing. Install it: sudo apt-get install -y $program" >&2
  exit 1
fi
echo "Installing $program (once) …"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install_it() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$program" >"$log" 2>&1; }
install_it || { apt-get update >>"$log" 2>&1 && install_it; } || { cat "$log" >&2; echo "$program cannot be installed; install it by hand: apt-get install -y $program" >&2; exit 1; }
