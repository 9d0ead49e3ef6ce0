{{/* A variable from a Secret. Takes a list: Secret, key, optional. */}}
{{- define "common.fromSecret" -}}
{{- dict "secretKeyRef" (merge (dict "name" (index . 0) "key" (index . 1)) ((index . 2) | ternary (dict "optional" true) dict)) | toJson -}}
{{- end -}}

{{/*
What a dictionary of variables becomes in a container; values are text or, from a Secret, an object. Those from Secrets
come first: Kubernetes puts $(NAME) into a text only when NAME stands above it.
*/}}
{{- define "common.envList" -}}
{{- range $name := keys . | sortAlpha }}
{{- $value := get $ $name }}
{{- if kindIs "map" $value }}
- name: {{ $name }}
  valueFrom: {{- toYaml $value | nindent 4 }}
{{- end }}
{{- end }}
{{- range $name := keys . | sortAlpha }}
{{- $value := get $ $name }}
{{- if not (kindIs "map" $value) }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Certificates that are trusted beside the well-known ones. */}}
{{- define "common.trustEnv" -}}
{{- with .Values.global.caBundle -}}
{{- if .configMap }}NODE_EXTRA_CA_CERTS: /trust/{{ .key }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Address of the database alone: all that a migration takes of an external one. */}}
{{- define "common.databaseEnv" -}}
{{- $secret := include "common.databaseSecret" . | fromYaml -}}
DATABASE_URL: {{ include "common.fromSecret" (list $secret.name $secret.key false) }}
{{- end -}}

{{- define "common.storeEnv" -}}
{{- with .Values.global.objectStore -}}
{{- $bundled := eq .mode "bundled" -}}
{{- $secret := $bundled | ternary (printf "%s-minio" $.Release.Name) .existingSecret -}}
APP_ENV_STORAGE: s3
APP_ENV_S3_ENDPOINT: {{ $bundled | ternary (printf "http://%s-minio:9000" $.Release.Name) .endpoint | quote }}
APP_ENV_S3_REGION: {{ .region | quote }}
APP_ENV_S3_BUCKET: {{ $.Values.objectStore.bucket | quote }}
{{- with .publicEndpoint }}
APP_ENV_S3_PUBLIC_ENDPOINT: {{ . | quote }}
{{- end }}
APP_ENV_S3_ACCESS_KEY: {{ include "common.fromSecret" (list $secret ($bundled | ternary "access-key" .accessKeyKey) false) }}
APP_ENV_S3_SECRET_KEY: {{ include "common.fromSecret" (list $secret ($bundled | ternary "secret-key" .secretKeyKey) false) }}
{{- end -}}
{{- end -}}

{{/* Who the service is to the Shell, and where that is. */}}
{{- define "common.clientEnv" -}}
{{- $slug := include "common.slug" . -}}
APP_ENV_SHELL_URL: {{ include "common.shellUrl" . | quote }}
APP_ENV_JWT_ISSUER: {{ .Values.global.publicUrl | trimSuffix "/" | quote }}
APP_ENV_JWT_AUDIENCE: {{ .Values.global.shell.audience | quote }}
APP_ENV_APP_SLUG: {{ $slug }}
APP_ENV_CLIENT_ID: {{ $slug }}
APP_ENV_CLIENT_SECRET: {{ include "common.fromSecret" (list (include "common.platformSecret" .) (printf "%s-client-secret" $slug) false) }}
{{- end -}}

{{- define "common.serviceEnv" -}}
APP_ENV_HOST: "0.0.0.0"
APP_ENV_PORT: {{ .Values.port | quote }}
APP_ENV_STOP_DELAY_SECONDS: {{ .Values.stopDelaySeconds | quote }}
APP_ENV_PUBLIC_URL: {{ include "common.address" . | quote }}
{{- /* Only what is in the cluster's networks can reach the pods: the ingress. */}}
APP_ENV_TRUSTED_PROXIES: "loopback,linklocal,uniquelocal"
{{- if .Values.cache.enabled }}
{{- $bundled := eq .Values.global.cache.mode "bundled" }}
REDIS_URL: {{ include "common.fromSecret" (list ($bundled | ternary (printf "%s-valkey" .Release.Name) .Values.global.cache.existingSecret) ($bundled | ternary "url" .Values.global.cache.key) false) }}
{{- end }}
{{- end -}}

{{/* All variables of the service's container as a dictionary: the platform's, then Secrets, then the plain ones. */}}
{{- define "common.env" -}}
{{- $env := include "common.trustEnv" . | fromYaml -}}
{{- if .Values.serviceVariables }}{{ $env = mergeOverwrite $env (include "common.serviceEnv" . | fromYaml) }}{{ end -}}
{{- if .Values.database.enabled }}{{ $env = mergeOverwrite $env (include "common.databaseEnv" . | fromYaml) }}{{ end -}}
{{- if .Values.objectStore.enabled }}{{ $env = mergeOverwrite $env (include "common.storeEnv" . | fromYaml) }}{{ end -}}
{{- if .Values.client.enabled }}{{ $env = mergeOverwrite $env (include "common.clientEnv" . | fromYaml) }}{{ end -}}
{{- range $name, $from := .Values.secretEnv }}
{{- $secret := tpl ($from.secret | default (include "common.platformSecret" $)) $ }}
{{- $_ := set $env $name (include "common.fromSecret" (list $secret $from.key ($from.optional | default false)) | fromJson) }}
{{- end -}}
{{- range $name, $value := .Values.env }}
{{- $_ := set $env $name (tpl (toString $value) $) }}
{{- end -}}
{{- toJson $env -}}
{{- end -}}
