#!/usr/bin/env bash
# The browser tests drive a real Chromium. Installed where that is allowed, named where it is not.
set -euo pipefail
command -v chromium >/dev/null && exit 0
if [[ $(id -u) -ne 0 ]] || ! command -v apt-get >/dev/null; then
  echo 'chromium is missing. Install it: sudo apt-get install -y chromium' >&2
  exit 1
fi
echo 'Installing chromium (once) …'
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install_chromium() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium >"$log" 2>&1; }
install_chromium || { apt-get update >>"$log" 2>&1 && install_chromium; } || { cat "$log" >&2; echo 'chromium cannot be installed; install it by hand: apt-get install -y chromium' >&2; exit 1; }
