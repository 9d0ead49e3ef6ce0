{{/*
`helm test`: runs tests/test.mjs of the chart by the image of the service, with the platform's address and the
administrator's password. Takes a list: context; perhaps a service account, whose token the test may use.
*/}}
{{- define "common.test" -}}
{{- $ := index . 0 }}
{{- if $.Files.Get "tests/test.mjs" }}
{{- $account := "" }}
{{- if gt (len .) 1 }}{{ $account = index . 1 }}{{ end }}
{{- $env := include "common.testEnv" $ | fromYaml }}
---
apiVersion: v1
kind: Pod
metadata:
  {{- $hook := dict "helm.sh/hook" "test" "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" }}
  {{- include "common.metadata" (list $ "test" (printf "%s-test" (include "common.fullname" $)) $hook) | nindent 2 }}
spec:
  {{- mergeOverwrite (include "common.podBase" (list $ "test") | fromYaml) (dict "automountServiceAccountToken" (ne $account "")) | toYaml | nindent 2 }}
  {{- with $account }}
  serviceAccountName: {{ . }}
  {{- end }}
  restartPolicy: Never
  containers:
    {{- include "common.scriptContainer" (list $ "test" (list "/scripts/test.mjs") $env) | nindent 4 }}
  volumes:
    {{- include "common.scriptVolumes" $ | nindent 4 }}
{{- end }}
{{- end -}}

{{- define "common.testEnv" -}}
PLATFORM_URL: {{ .Values.tests.url | default .Values.global.publicUrl | trimSuffix "/" | quote }}
SERVICE_URL: {{ .Values.tests.url | default (include "common.address" .) | trimSuffix "/" | quote }}
NAMESPACE: {{ .Release.Namespace }}
ADMIN_PASSWORD: {{ include "common.fromSecret" (list (include "common.platformSecret" .) "admin-password" false) }}
{{- range $name, $value := .Values.tests.env }}
{{ $name }}: {{ tpl (toString $value) $ | quote }}
{{- end }}
{{- end -}}
