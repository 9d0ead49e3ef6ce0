{{/* Everything of a service: the one line of a chart's templates. */}}
{{- define "common.all" -}}
{{- include "common.init" . }}
{{- include "common.validate" . }}
{{- include "common.serviceAccount" . }}
{{- include "common.bundledDatabase" . }}
{{- include "common.cnpgDatabase" . }}
{{- include "common.migrationJob" . }}
{{- include "common.deployment" . }}
{{- include "common.service" . }}
{{- include "common.ownRoutes" . }}
{{- include "common.autoscaler" . }}
{{- include "common.disruptionBudget" . }}
{{- include "common.networkPolicy" . }}
{{- include "common.serviceMonitor" . }}
{{- include "common.dashboards" . }}
{{- include "common.rules" . }}
{{- include "common.scripts" . }}
{{- include "common.registration" . }}
{{- include "common.test" (list . (tpl .Values.tests.serviceAccount .)) }}
{{- range .Values.extraObjects }}
---
{{ tpl (kindIs "string" . | ternary . (toYaml .)) $ }}
{{- end }}
{{- end -}}
