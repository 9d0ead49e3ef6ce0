{{- define "common.serviceMonitor" -}}
{{- with .Values.global.monitoring }}
{{- if .serviceMonitor }}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  {{- $metadata := include "common.metadata" (list $ "server" (include "common.fullname" $)) | fromYaml }}
  {{- mergeOverwrite $metadata (dict "labels" .labels) | toYaml | nindent 2 }}
spec:
  selector:
    matchLabels:
      {{- include "common.selector" (list $ "server") | nindent 6 }}
  endpoints:
    # the series say themselves which job and service they are about
    - { port: http, path: /metrics, interval: {{ .interval }}, honorLabels: true }
{{- end }}
{{- end }}
{{- end -}}

{{/* Every dashboards/*.json of the chart. */}}
{{- define "common.dashboards" -}}
{{- if .Values.monitoring.dashboards }}
{{- range $path, $content := .Files.Glob "dashboards/*.json" }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  {{- $name := base $path | trimSuffix ".json" }}
  {{- $metadata := include "common.metadata" (list $ "dashboard" (printf "%s-dashboard-%s" (include "common.fullname" $) $name)) | fromYaml }}
  {{- mergeOverwrite $metadata (dict "labels" $.Values.monitoring.dashboardLabels) | toYaml | nindent 2 }}
data:
  {{ base $path }}: {{ toString $content | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The alerts in rules/*.json of the chart, about this release's namespace. */}}
{{- define "common.rules" -}}
{{- with .Values.global.monitoring }}
{{- if .rules }}
{{- range $path, $content := $.Files.Glob "rules/*.json" }}
---
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  {{- $metadata := include "common.metadata" (list $ "rules" (printf "%s-%s" (include "common.fullname" $) (base $path | trimSuffix ".json"))) | fromYaml }}
  {{- mergeOverwrite $metadata (dict "labels" $.Values.global.monitoring.labels) | toYaml | nindent 2 }}
spec:
  {{- toString $content | replace "$NAMESPACE" $.Release.Namespace | fromJson | toYaml | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
