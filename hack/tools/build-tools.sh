#!/usr/bin/env bash
# Builds what `make test-cluster` runs against, in the versions pinned in the modules beside this file, into .tools/bin.
# KUBEBUILDER_ASSETS names a folder that has etcd, kube-apiserver and kubectl already.
set -euo pipefail
cd "$(dirname "$0")/../.."
readonly bin="$PWD/.tools/bin"
readonly go_oldest=26 # of Go 1.x

# module folder, package to build, module whose version is pinned
readonly programs=(
  'kube-apiserver kubernetes k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes'
  'kubectl kubernetes k8s.io/kubernetes/cmd/kubectl k8s.io/kubernetes'
  'etcd etcd go.etcd.io/etcd/server/v3 go.etcd.io/etcd/server/v3'
  'minio minio github.com/minio/minio github.com/minio/minio'
  'helm helm helm.sh/helm/v4/cmd/helm helm.sh/helm/v4'
  'helm3 helm3 helm.sh/helm/v3/cmd/helm helm.sh/helm/v3'
  'kubeconform kubeconform github.com/yannh/kubeconform/cmd/kubeconform github.com/yannh/kubeconform'
  'helm-docs helm-docs github.com/norwoodj/helm-docs/cmd/helm-docs github.com/norwoodj/helm-docs'
  'helm-unittest helm-unittest github.com/helm-unittest/helm-unittest/cmd/helm-unittest github.com/helm-unittest/helm-unittest'
  'stripe-mock stripe-mock github.com/stripe/stripe-mock github.com/stripe/stripe-mock'
)
readonly kubernetes='kube-apiserver kubectl etcd'

fail() { echo "tools: $*" >&2; exit 1; }

given() { [[ -n ${KUBEBUILDER_ASSETS:-} && " $kubernetes " == *" $1 "* ]]; }

for name in $kubernetes; do
  if given "$name" && [[ ! -x $KUBEBUILDER_ASSETS/$name ]]; then
    fail "KUBEBUILDER_ASSETS=$KUBEBUILDER_ASSETS has no $name. Unset it to build the programs here."
  fi
done

has_go() { command -v go >/dev/null && [[ $(go env GOVERSION) =~ ^go1\.([0-9]+) ]] && ((BASH_REMATCH[1] >= go_oldest)); }

pinned() { sed -nE "s#^(require )?[[:space:]]*$2 (v[^ ]+).*#\2#p" "hack/tools/$1/go.mod" | head -1; }

# Go writes the modules of a program into it, so a program tells its version itself.
built() { go version -m "$1" 2>/dev/null | awk -v module="$2" '($1 == "dep" || $1 == "mod") && $2 == module { print $3; exit }'; }

build() {
  local name=$1 folder=$2 package=$3 module=$4 version
  version=$(pinned "$folder" "$module")
  if [[ -x $bin/$name ]]; then
    has_go || { echo "tools: $name is there; without Go its version cannot be checked"; return; }
    [[ $(built "$bin/$name" "$module") == "$version" ]] && return
  fi
  has_go || fail "Go 1.$go_oldest or newer is needed to build $name $version (https://go.dev/dl). KUBEBUILDER_ASSETS names a folder that has etcd, kube-apiserver and kubectl already."
  echo "tools: building $name $version …"
  local began=$SECONDS
  # Built beside and moved, so that a build cut short is never taken for a program.
  (cd "hack/tools/$folder" && CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags='-s -w' -o "$bin/.$name.new" "$package")
  mv "$bin/.$name.new" "$bin/$name"
  echo "tools: built $name in $((SECONDS - began)) s"
}

mkdir -p "$bin"
for line in "${programs[@]}"; do
  read -r name folder package module <<<"$line"
  given "$name" || build "$name" "$folder" "$package" "$module"
done
