#!/usr/bin/env bash
# Style of the RPC contracts, and that they break nobody who uses those of main.
set -euo pipefail
cd "$(dirname "$0")/../.."
buf lint proto
for base in origin/main main; do
  if git cat-file -e "$base:proto/buf.yaml" 2>/dev/null; then
    # A copy of the tree rather than a git reference: buf clones by branch name, and a checkout may have none.
    before=$(mktemp -d)
    trap 'rm -rf "$before"' EXIT
    git archive "$base" proto | tar -x -C "$before"
    buf breaking proto --against "$before/proto"
    exit 0
  fi
done
echo 'proto: main has no contracts yet, nothing to compare with.'
