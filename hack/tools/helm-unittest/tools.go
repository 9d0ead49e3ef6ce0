//go:build tools

// Package tools names the command this module builds, so that `go mod tidy` keeps what it needs.
package tools

import _ "github.com/helm-unittest/helm-unittest/cmd/helm-unittest"
