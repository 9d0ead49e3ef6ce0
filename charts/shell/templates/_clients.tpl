{{/* The satellites' clients; Kubernetes puts their secrets into the text, from variables of their own. */}}
{{- define "shell.appClients" -}}
{{- $clients := list -}}
{{- range .Values.global.satellites -}}
{{- $clients = append $clients (dict "slug" . "clientId" . "clientSecret" (printf "$(%s)" (include "shell.clientVariable" .))) -}}
{{- end -}}
{{- toJson $clients -}}
{{- end -}}

{{- define "shell.clientVariable" -}}
CLIENT_SECRET_{{ . | upper | replace "-" "_" }}
{{- end -}}
