{{/*
Values that no schema can refuse, because two of them contradict each other. Each message says what to set. The umbrella
chart tells the problems of all its charts at once, so the charts in it leave that to it.
*/}}
{{- define "common.validate" -}}
{{- if or .Chart.IsRoot (not .Values.global.umbrella) -}}
{{- include "common.refuse" (include "common.problems" . | fromJsonArray) -}}
{{- end -}}
{{- end -}}

{{- define "common.refuse" -}}
{{- if . -}}
{{- fail (printf "The values contradict each other. Set or correct:\n  %s" (join "\n  " .)) -}}
{{- end -}}
{{- end -}}

{{/* As a JSON list of texts. */}}
{{- define "common.problems" -}}
{{- $problems := list -}}
{{- $v := .Values -}}
{{- /* An API server built without a version says 0.0. */}}
{{- $kubernetes := .Capabilities.KubeVersion -}}
{{- if and (regexMatch "^v[1-9]" $kubernetes.Version) (semverCompare "<1.30.0-0" $kubernetes.Version) -}}
{{- $problems = append $problems (printf "Kubernetes 1.30 or newer is needed; this cluster has %s" $kubernetes.Version) -}}
{{- end -}}
{{- if not (regexMatch "^https?://[^/]+/?$" $v.global.publicUrl) -}}
{{- $problems = append $problems "global.publicUrl must be the address of the platform without a path, for example https://platform.example.org" -}}
{{- end -}}
{{- if and $v.database.enabled (eq $v.global.postgresql.mode "external") (not $v.database.existingSecret) -}}
{{- $problems = append $problems (printf "database.existingSecret must name the Secret whose key %s has the address of the database (or set global.postgresql.mode to cnpg, or to bundled for an evaluation)" $v.database.key) -}}
{{- end -}}
{{- if and $v.cache.enabled (eq $v.global.cache.mode "external") (not $v.global.cache.existingSecret) -}}
{{- $problems = append $problems (printf "global.cache.existingSecret must name the Secret whose key %s has the address of Redis or Valkey (or set global.cache.mode to bundled)" $v.global.cache.key) -}}
{{- end -}}
{{- if $v.objectStore.enabled -}}
{{- if and (eq $v.global.objectStore.mode "external") (not (and $v.global.objectStore.existingSecret $v.global.objectStore.endpoint)) -}}
{{- $problems = append $problems "global.objectStore.endpoint and global.objectStore.existingSecret must name the S3 store and the Secret with its keys (or set global.objectStore.mode to bundled for an evaluation)" -}}
{{- end -}}
{{- if not $v.objectStore.bucket }}{{ $problems = append $problems "objectStore.bucket must name the bucket of the service" }}{{ end -}}
{{- end -}}
{{- if .Chart.IsRoot -}}
{{- if and (or $v.client.enabled $v.secretKeys) (not $v.global.secrets.existingSecret) -}}
{{- $problems = append $problems (printf "global.secrets.existingSecret must name a Secret with the keys %s (the umbrella chart platform makes one)" (include "common.secretKeyNames" .)) -}}
{{- end -}}
{{- range $store := list "postgresql" "cache" "objectStore" -}}
{{- if eq (index $v.global $store).mode "bundled" }}{{ $problems = append $problems (printf "global.%s.mode can be bundled only in the umbrella chart platform, which brings the store; set it to external" $store) }}{{ end -}}
{{- end -}}
{{- if and $v.client.enabled (not $v.global.shell.url) }}{{ $problems = append $problems "global.shell.url must be the address of the Shell inside the cluster, for example http://platform-shell" }}{{ end -}}
{{- end -}}
{{- if and $v.client.enabled (not .Chart.IsRoot) (not (has (include "common.slug" .) $v.global.satellites)) -}}
{{- $problems = append $problems (printf "global.satellites must contain %s, so that the Shell knows its client" (include "common.slug" .)) -}}
{{- end -}}
{{- if and (eq $v.migrations.mode "hook") (include "common.madeByRelease" .) -}}
{{- $problems = append $problems "migrations.mode cannot be hook with stores that come with the release, since the hook runs before they exist; set it to auto" -}}
{{- end -}}
{{- if and $v.autoscaling.enabled (gt (int $v.autoscaling.minReplicas) (int $v.autoscaling.maxReplicas)) -}}
{{- $problems = append $problems "autoscaling.minReplicas must not be greater than autoscaling.maxReplicas" -}}
{{- end -}}
{{- if and $v.gateway.enabled (not $v.gateway.parentRefs) }}{{ $problems = append $problems "gateway.parentRefs must name a Gateway, for example [{ name: public, namespace: gateways }]" }}{{ end -}}
{{- if and (or $v.gateway.enabled $v.ingress.enabled) (not .Chart.IsRoot) -}}
{{- $problems = append $problems "ingress.enabled and gateway.enabled belong to the umbrella chart here, which has one host for all; set them there" -}}
{{- end -}}
{{- $problems = concat $problems (include "common.addressProblems" . | fromJsonArray) -}}
{{- $own := list "account" "admin" "api" "apps" "assets" "auth" "forgot-password" "livez" "login" "metrics" "readyz" "register" "reset-password" "settings" "shell" "sign-in" -}}
{{- if and (not $v.route.host) (has (splitList "/" (trimPrefix "/" $v.route.path) | first) $own) -}}
{{- $problems = append $problems (printf "route.path %s is the Shell's own (it has /%s); choose another path, or a route.host" $v.route.path (join ", /" $own)) -}}
{{- end -}}
{{- if and $v.global.monitoring.serviceMonitor $v.networkPolicy.enabled $v.global.networkPolicy.enabled (not $v.global.networkPolicy.monitoringFrom) -}}
{{- $problems = append $problems "global.networkPolicy.monitoringFrom must name the peers that read metrics, for example [{ namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: monitoring } } }], since global.monitoring.serviceMonitor is on" -}}
{{- end -}}
{{- if and $v.satelliteApp.enabled (not $v.route.path) }}{{ $problems = append $problems "route.path must be set (or satelliteApp.enabled to false): what is in the launchpad has to be reachable" }}{{ end -}}
{{- if and $v.serviceVariables (lt (int $v.terminationGracePeriodSeconds) (add 25 (int $v.stopDelaySeconds) | int)) }}{{ $problems = append $problems "terminationGracePeriodSeconds must be at least 25 more than stopDelaySeconds: requests that run get 20 seconds" }}{{ end -}}
{{- $named := list -}}
{{- range $problems }}{{ $named = append $named (printf "%s: %s" (include "common.name" $) .) }}{{ end -}}
{{- toJson $named -}}
{{- end -}}

{{/* What an Ingress or a Gateway cannot do with the platform's address, as a JSON list of texts. */}}
{{- define "common.addressProblems" -}}
{{- $problems := list -}}
{{- $url := .Values.global.publicUrl -}}
{{- if and (or .Values.ingress.enabled .Values.gateway.enabled) (regexMatch "^https?://(\\[|[0-9.]+(:[0-9]+)?/?$)" $url) -}}
{{- $problems = append $problems "global.publicUrl must have a name in place of an IP address: rules of an Ingress or a Gateway are made for names" -}}
{{- end -}}
{{- if and .Values.ingress.enabled .Values.ingress.tlsSecret (hasPrefix "http://" $url) -}}
{{- $problems = append $problems "global.publicUrl must begin with https:// when there is an ingress.tlsSecret" -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{- define "common.secretKeyNames" -}}
{{- $keys := keys .Values.secretKeys -}}
{{- if .Values.client.enabled }}{{ $keys = append $keys (printf "%s-client-secret" (include "common.slug" .)) }}{{ end -}}
{{- $keys | uniq | sortAlpha | join ", " -}}
{{- end -}}
