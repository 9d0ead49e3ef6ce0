{{/*
The satellite's entry in the launchpad. It is no plain object of the release: Helm resolves every kind before it
installs anything, so it would refuse a release that brings the CRD and an object of it; and at the end somebody has to
wait for the finalizer while the operator still runs. So a Job applies it and another takes it out.
*/}}
{{- define "common.satelliteApp" -}}
{{- $app := .Files.Get "satelliteapp.yaml" | fromYaml -}}
{{- $address := eq .Values.route.host "" | ternary (.Values.route.path | trimSuffix "/") (include "common.address" .) -}}
{{- range $field, $suffix := dict "apiUrl" "/api" "uiUrl" "/ui" -}}
{{- if hasKey $app.spec $field }}{{ $_ := set $app.spec $field (printf "%s%s" $address $suffix) }}{{ end -}}
{{- end -}}
{{- $_ := mergeOverwrite $app.spec .Values.satelliteApp.spec -}}
{{- $_ := set $app "metadata" (include "common.metadata" (list . "satelliteapp" $app.metadata.name) | fromYaml) -}}
{{- toPrettyJson $app -}}
{{- end -}}

{{/* The chart's own scripts and those of the library, for jobs and tests. */}}
{{- define "common.scripts" -}}
{{- if or .Values.satelliteApp.enabled (.Files.Glob "tests/*.mjs") }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  {{- include "common.metadata" (list . "jobs" (printf "%s-scripts" (include "common.fullname" .))) | nindent 2 }}
data:
  {{- range $path, $content := .Subcharts.common.Files.Glob "scripts/*.mjs" }}
  {{ base $path }}: |
    {{- toString $content | nindent 4 }}
  {{- end }}
  {{- range $path, $content := .Files.Glob "tests/*.mjs" }}
  {{ base $path }}: |
    {{- toString $content | nindent 4 }}
  {{- end }}
  {{- if .Values.satelliteApp.enabled }}
  satelliteapp.json: |
    {{- include "common.satelliteApp" . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* A container that runs a script by the image of the service. Takes a list: context, name, arguments, variables. */}}
{{- define "common.scriptContainer" -}}
{{- $ := index . 0 -}}
- name: {{ index . 1 }}
  {{- include "common.containerBase" $ | nindent 2 }}
  command: [node]
  args: {{ index . 2 | toJson }}
  env:
    {{- include "common.envList" (mergeOverwrite (include "common.trustEnv" $ | fromYaml) (index . 3)) | indent 4 }}
  {{- include "common.smallResources" $ | nindent 2 }}
  volumeMounts:
    - { name: scripts, mountPath: /scripts, readOnly: true }
    {{- include "common.mounts" $ | nindent 4 }}
{{- end -}}

{{- define "common.scriptVolumes" -}}
- { name: scripts, configMap: { name: {{ include "common.fullname" . }}-scripts } }
{{ include "common.volumes" . }}
{{- end -}}

{{- define "common.registration" -}}
{{- if .Values.satelliteApp.enabled }}
{{- include "common.registrationRights" . }}
{{- include "common.registrationJob" (list . "apply" "post-install,post-upgrade,post-rollback") }}
{{- include "common.registrationJob" (list . "remove" "pre-delete") }}
{{- end }}
{{- end -}}

{{/* Takes a list: context, what to do, when. */}}
{{- define "common.registrationJob" -}}
{{- $ := index . 0 }}
{{- $name := printf "%s-%s-app" (include "common.fullname" $) (index . 1) }}
---
apiVersion: batch/v1
kind: Job
metadata:
  {{- $hook := dict "helm.sh/hook" (index . 2) "helm.sh/hook-delete-policy" "before-hook-creation,hook-succeeded" }}
  {{- include "common.metadata" (list $ "registration" $name $hook) | nindent 2 }}
spec:
  backoffLimit: 3
  activeDeadlineSeconds: 300
  template:
    metadata:
      labels:
        {{- include "common.labels" (list $ "registration") | nindent 8 }}
    spec:
      {{- mergeOverwrite (include "common.podBase" (list $ "registration") | fromYaml) (dict "automountServiceAccountToken" true) | toYaml | nindent 6 }}
      serviceAccountName: {{ include "common.fullname" $ }}-registration
      restartPolicy: Never
      containers:
        {{- include "common.scriptContainer" (list $ "register" (list "/scripts/satelliteapp.mjs" (index . 1)) (dict "NAMESPACE" $.Release.Namespace)) | nindent 8 }}
      volumes:
        {{- include "common.scriptVolumes" $ | nindent 8 }}
{{- end -}}

{{- define "common.registrationRights" -}}
{{- $name := printf "%s-registration" (include "common.fullname" .) }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "common.metadata" (list . "registration" $name) | nindent 2 }}
automountServiceAccountToken: false
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  {{- include "common.metadata" (list . "registration" $name) | nindent 2 }}
rules:
  - apiGroups: [platform.satellite.io]
    resources: [satelliteapps]
    resourceNames: [{{ (.Files.Get "satelliteapp.yaml" | fromYaml).metadata.name }}]
    verbs: [get, create, patch, delete]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  {{- include "common.metadata" (list . "registration" $name) | nindent 2 }}
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: {{ $name }} }
subjects:
  - { kind: ServiceAccount, name: {{ $name }}, namespace: {{ .Release.Namespace }} }
{{- end -}}
