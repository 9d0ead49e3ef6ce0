{{/* Pods of the same release. */}}
{{- define "common.releasePeer" -}}
- podSelector: { matchLabels: { app.kubernetes.io/instance: {{ .Release.Name }} } }
{{- end -}}

{{- define "common.dnsEgress" -}}
- ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end -}}

{{/* Ports of stores outside of the release; those inside are its pods. */}}
{{- define "common.storePorts" -}}
{{- $ports := list -}}
{{- with .Values -}}
{{- if and .database.enabled (ne .global.postgresql.mode "bundled") }}{{ $ports = append $ports .global.postgresql.port }}{{ end -}}
{{- if and .cache.enabled (eq .global.cache.mode "external") }}{{ $ports = append $ports .global.cache.port }}{{ end -}}
{{- if and .objectStore.enabled (eq .global.objectStore.mode "external") -}}
{{- $url := urlParse .global.objectStore.endpoint -}}
{{- $default := eq $url.scheme "https" | ternary 443 80 -}}
{{- $ports = append $ports (regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default $default | int) -}}
{{- end -}}
{{- if .networkPolicy.web }}{{ $ports = concat $ports (list 80 443) }}{{ end -}}
{{- end -}}
{{- range uniq $ports }}
- { port: {{ . }} }
{{- end }}
{{- end -}}

{{- define "common.networkPolicy" -}}
{{- if and .Values.networkPolicy.enabled .Values.global.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "common.metadata" (list . "server" (include "common.fullname" .)) | nindent 2 }}
spec:
  podSelector:
    matchLabels: { app.kubernetes.io/name: {{ include "common.name" . }}, app.kubernetes.io/instance: {{ .Release.Name }} }
    matchExpressions:
      - { key: app.kubernetes.io/component, operator: In, values: [server, migration] }
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        {{- include "common.releasePeer" . | nindent 8 }}
        {{- if .Values.route.path }}
        {{- with .Values.global.networkPolicy.ingressFrom }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- end }}
        {{- with .Values.global.networkPolicy.monitoringFrom }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports:
        - { port: {{ .Values.port }} }
    {{- with .Values.networkPolicy.extraIngress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  egress:
    {{- include "common.dnsEgress" . | nindent 4 }}
    - to:
        {{- include "common.releasePeer" . | nindent 8 }}
    {{- with include "common.storePorts" . }}
    - ports:
        {{- . | indent 8 }}
    {{- end }}
    {{- with .Values.networkPolicy.extraEgress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
---
{{- /* Jobs and tests talk to the API server and to public addresses; nobody talks to them. */}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "common.metadata" (list . "jobs" (printf "%s-jobs" (include "common.fullname" .))) | nindent 2 }}
spec:
  podSelector:
    matchLabels: { app.kubernetes.io/name: {{ include "common.name" . }}, app.kubernetes.io/instance: {{ .Release.Name }} }
    matchExpressions:
      - { key: app.kubernetes.io/component, operator: In, values: [registration, test] }
  policyTypes: [Ingress, Egress]
  egress:
    - {}
{{- end }}
{{- end -}}
