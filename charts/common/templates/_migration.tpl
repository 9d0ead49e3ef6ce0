{{/* `hook`, `initContainer`, or nothing when there is nothing to migrate. */}}
{{- define "common.migrationMode" -}}
{{- if and .Values.migrations.enabled .Values.database.enabled -}}
{{- if ne .Values.migrations.mode "auto" -}}
{{- .Values.migrations.mode -}}
{{- else -}}
{{- include "common.madeByRelease" . | eq "true" | ternary "initContainer" "hook" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* True when a store that the migration needs comes with the release, so that a hook before it would find none. */}}
{{- define "common.madeByRelease" -}}
{{- $store := and .Values.objectStore.enabled (eq .Values.global.objectStore.mode "bundled") -}}
{{- if or $store (ne .Values.global.postgresql.mode "external") }}true{{ end -}}
{{- end -}}

{{/* The address of the database; with bundled stores also what it takes to make database, role and bucket there. */}}
{{- define "common.migrationEnv" -}}
{{- $env := mergeOverwrite (include "common.trustEnv" . | fromYaml) (include "common.databaseEnv" . | fromYaml) -}}
{{- if eq .Values.global.postgresql.mode "bundled" }}
{{- $_ := set $env "DATABASE_ADMIN_URL" (include "common.fromSecret" (list (printf "%s-postgresql" .Release.Name) "uri" false) | fromJson) }}
{{- end -}}
{{- if and .Values.objectStore.enabled (eq .Values.global.objectStore.mode "bundled") }}
{{- $env = mergeOverwrite $env (include "common.storeEnv" . | fromYaml) }}
{{- end -}}
{{- toJson $env -}}
{{- end -}}

{{- define "common.migrateContainer" -}}
- name: migrate
  {{- include "common.containerBase" . | nindent 2 }}
  args: [migrate]
  env:
    {{- include "common.envList" (include "common.migrationEnv" . | fromJson) | indent 4 }}
  {{- include "common.smallResources" . | nindent 2 }}
  volumeMounts:
    {{- include "common.mounts" . | nindent 4 }}
{{- end -}}

{{- define "common.migrationContainer" -}}
{{- if eq (include "common.migrationMode" .) "initContainer" }}{{ include "common.migrateContainer" . }}{{ end -}}
{{- end -}}

{{/* Before everything of the release: it uses nothing but the image and the database's Secret. */}}
{{- define "common.migrationJob" -}}
{{- if eq (include "common.migrationMode" .) "hook" }}
---
apiVersion: batch/v1
kind: Job
metadata:
  {{- $hook := dict "helm.sh/hook" "pre-install,pre-upgrade" "helm.sh/hook-weight" "-5" "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" }}
  {{- include "common.metadata" (list . "migration" (printf "%s-migration" (include "common.fullname" .)) $hook) | nindent 2 }}
spec:
  backoffLimit: {{ .Values.migrations.backoffLimit }}
  activeDeadlineSeconds: {{ .Values.migrations.activeDeadlineSeconds }}
  template:
    metadata:
      labels:
        {{- include "common.labels" (list . "migration") | nindent 8 }}
    spec:
      {{- include "common.podBase" (list . "migration") | nindent 6 }}
      restartPolicy: Never
      containers:
        {{- include "common.migrateContainer" . | nindent 8 }}
      volumes:
        {{- include "common.volumes" . | nindent 8 }}
{{- end }}
{{- end -}}
