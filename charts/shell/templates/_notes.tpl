{{/* Takes the values of the Shell. */}}
{{- define "shell.mailNote" -}}
{{- if not (or (hasKey .env "APP_ENV_SMTP_URL") (hasKey .secretEnv "APP_ENV_SMTP_URL")) }}

There is no mail server: invitations and links to reset a password are written to a folder of the pod and never sent.
Set shell.secretEnv.APP_ENV_SMTP_URL: { secret: mail, key: url } (charts/README.md, For production).
{{- end }}
{{- end -}}
