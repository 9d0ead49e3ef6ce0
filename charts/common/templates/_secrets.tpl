{{/* The Secret with the platform's own secrets. */}}
{{- define "common.platformSecret" -}}
{{- .Values.global.secrets.existingSecret | default (printf "%s-platform" .Release.Name) -}}
{{- end -}}

{{/* Name and key of the Secret with the address of the service's database. */}}
{{- define "common.databaseSecret" -}}
{{- $mode := .Values.global.postgresql.mode -}}
{{- if eq $mode "external" -}}
name: {{ .Values.database.existingSecret }}
key: {{ .Values.database.key }}
{{- else -}}
name: {{ include "common.fullname" . }}-{{ eq $mode "cnpg" | ternary "db-app" "database" }}
key: uri
{{- end -}}
{{- end -}}

{{- define "common.databaseName" -}}
{{- .Values.database.name | default (.Chart.Name | replace "-" "_") -}}
{{- end -}}

{{/* A value of a Secret that is there already, else a new password. Takes a list: context, Secret, key. */}}
{{- define "common.kept" -}}
{{- $there := lookup "v1" "Secret" (index . 0).Release.Namespace (index . 1) | default dict -}}
{{- $value := get ($there.data | default dict) (index . 2) -}}
{{- if $value -}}{{ $value | b64dec }}{{- else -}}{{ randAlphaNum 32 }}{{- end -}}
{{- end -}}

{{/* Annotations of what outlives the release. */}}
{{- define "common.keep" -}}
helm.sh/resource-policy: keep
{{- end -}}

{{/* With the bundled server each service has its own role and password there; `migrate` makes them. */}}
{{- define "common.bundledDatabase" -}}
{{- if and .Values.database.enabled (eq .Values.global.postgresql.mode "bundled") }}
{{- $secret := printf "%s-database" (include "common.fullname" .) }}
{{- $name := include "common.databaseName" . }}
{{- $password := include "common.kept" (list . $secret "password") }}
---
apiVersion: v1
kind: Secret
metadata:
  {{- include "common.metadata" (list . "database" $secret (include "common.keep" . | fromYaml)) | nindent 2 }}
type: Opaque
stringData:
  password: {{ $password | quote }}
  uri: postgresql://{{ $name }}:{{ $password }}@{{ .Release.Name }}-postgresql:5432/{{ $name }}
{{- end }}
{{- end -}}

{{- define "common.cnpgDatabase" -}}
{{- if and .Values.database.enabled (eq .Values.global.postgresql.mode "cnpg") }}
{{- $cnpg := .Values.global.postgresql.cnpg }}
---
apiVersion: postgresql.cnpg.io/v1
kind: Cluster
metadata:
  {{- include "common.metadata" (list . "database" (printf "%s-db" (include "common.fullname" .)) ($cnpg.keep | ternary (include "common.keep" . | fromYaml) dict)) | nindent 2 }}
spec:
  instances: {{ $cnpg.instances }}
  storage:
    size: {{ $cnpg.size }}
    {{- with $cnpg.storageClass }}
    storageClass: {{ . }}
    {{- end }}
  bootstrap:
    initdb:
      database: {{ include "common.databaseName" . }}
      owner: {{ include "common.databaseName" . }}
{{- end }}
{{- end -}}
