{{/*
Where services are reached from outside, as JSON: a list of { host, path, service, port }. Takes a list of contexts,
each with its merged values. Two services at one place are refused, and one below another, whose requests it would take.
*/}}
{{- define "common.routes" -}}
{{- $routes := list -}}
{{- range . -}}
{{- if .Values.route.path -}}
{{- $host := .Values.route.host | default (urlParse .Values.global.publicUrl).hostname -}}
{{- $path := .Values.route.path | trimSuffix "/" | default "/" -}}
{{- $name := include "common.fullname" . -}}
{{- range $other := $routes -}}
{{- if and (eq $other.host $host) (or (eq $other.path $path) (include "common.isBelow" (list $path $other.path)) (include "common.isBelow" (list $other.path $path))) -}}
{{- fail (printf "%s and %s are both reached at %s: %s and %s collide. Set route.path or route.host of one of them." $other.service $name $host $other.path $path) -}}
{{- end -}}
{{- end -}}
{{- $routes = append $routes (dict "host" $host "path" $path "service" $name "port" .Values.service.port) -}}
{{- end -}}
{{- end -}}
{{- dict "routes" $routes | toJson -}}
{{- end -}}

{{/* True when the first path lies below the second; the root, where the Shell is, only owns /api. */}}
{{- define "common.isBelow" -}}
{{- $above := index . 1 -}}
{{- if eq $above "/" -}}{{- $above = "/api" -}}{{- end -}}
{{- if hasPrefix (printf "%s/" $above) (printf "%s/" (index . 0)) }}true{{ end -}}
{{- end -}}

{{/* Takes a list: context, routes, values of the Ingress. */}}
{{- define "common.ingress" -}}
{{- $ := index . 0 }}
{{- $routes := index . 1 }}
{{- with index . 2 }}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  {{- include "common.metadata" (list $ "ingress" (include "common.fullname" $) .annotations) | nindent 2 }}
spec:
  {{- with .className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- if .tlsSecret }}
  tls:
    - secretName: {{ .tlsSecret }}
      hosts:
        {{- range include "common.hosts" $routes | fromJsonArray }}
        - {{ . }}
        {{- end }}
  {{- end }}
  rules:
    {{- range $host := include "common.hosts" $routes | fromJsonArray }}
    - host: {{ $host }}
      http:
        paths:
          {{- range $routes }}
          {{- if eq .host $host }}
          - { path: {{ .path }}, pathType: Prefix, backend: { service: { name: {{ .service }}, port: { number: {{ .port }} } } } }
          {{- end }}
          {{- end }}
    {{- end }}
{{- end }}
{{- end -}}

{{- define "common.hosts" -}}
{{- $hosts := list -}}
{{- range . }}{{ $hosts = append $hosts .host }}{{ end -}}
{{- $hosts | uniq | toJson -}}
{{- end -}}

{{/* One HTTPRoute a host. Takes a list: context, routes, values of the Gateway API. */}}
{{- define "common.httpRoutes" -}}
{{- $ := index . 0 }}
{{- $routes := index . 1 }}
{{- $gateway := index . 2 }}
{{- range $number, $host := include "common.hosts" $routes | fromJsonArray }}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  {{- include "common.metadata" (list $ "ingress" (printf "%s%s" (include "common.fullname" $) (eq $number 0 | ternary "" (printf "-%d" $number))) $gateway.annotations) | nindent 2 }}
spec:
  parentRefs:
    {{- toYaml $gateway.parentRefs | nindent 4 }}
  hostnames: [{{ $host | quote }}]
  rules:
    {{- range $routes }}
    {{- if eq .host $host }}
    - matches:
        - path: { type: PathPrefix, value: {{ .path }} }
      backendRefs:
        - { name: {{ .service }}, port: {{ .port }} }
    {{- end }}
    {{- end }}
{{- end }}
{{- end -}}

{{/* Routes of a chart that is installed alone. */}}
{{- define "common.ownRoutes" -}}
{{- $routes := (include "common.routes" (list .) | fromJson).routes -}}
{{- if .Values.ingress.enabled }}{{ include "common.ingress" (list . $routes .Values.ingress) }}{{ end }}
{{- if .Values.gateway.enabled }}{{ include "common.httpRoutes" (list . $routes .Values.gateway) }}{{ end }}
{{- end -}}
