{{/* The values of a chart over those of the library; every template begins with it. */}}
{{- define "common.init" -}}
{{- $_ := set . "Values" (mergeOverwrite (deepCopy (.Values.common | default dict)) .Values) -}}
{{- end -}}

{{- define "common.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Inside the umbrella always release-chart, so that charts find each other. */}}
{{- define "common.fullname" -}}
{{- $name := include "common.name" . -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if and .Chart.IsRoot (contains $name .Release.Name) -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" (.Release.Name | trunc 40 | trimSuffix "-") $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Takes a list: context, component. */}}
{{- define "common.selector" -}}
{{- $context := index . 0 -}}
app.kubernetes.io/name: {{ include "common.name" $context }}
app.kubernetes.io/instance: {{ $context.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "common.labels" -}}
{{- $context := index . 0 -}}
{{ include "common.selector" . }}
app.kubernetes.io/version: {{ $context.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: satellite-platform
app.kubernetes.io/managed-by: {{ $context.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $context.Chart.Name $context.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Metadata of an object. Takes a list: context, component, name; perhaps annotations. */}}
{{- define "common.metadata" -}}
{{- $context := index . 0 -}}
name: {{ index . 2 }}
namespace: {{ $context.Release.Namespace }}
labels:
  {{- include "common.labels" (list $context (index . 1)) | nindent 2 }}
{{- if gt (len .) 3 }}
{{- with index . 3 }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Takes a list: image values, default tag, global values. */}}
{{- define "common.image" -}}
{{- $image := index . 0 -}}
{{- $registry := $image.registry | default (index . 2).image.registry -}}
{{- if $registry }}{{ $registry }}/{{ end }}{{ $image.repository }}
{{- if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag | default (index . 1) }}{{ end -}}
{{- end -}}

{{/* Address of the service for browsers. */}}
{{- define "common.address" -}}
{{- $platform := .Values.global.publicUrl | trimSuffix "/" -}}
{{- $path := .Values.route.path | trimSuffix "/" -}}
{{- if .Values.route.host -}}
{{- (urlParse $platform).scheme }}://{{ .Values.route.host }}{{ $path -}}
{{- else -}}
{{- $platform }}{{ $path -}}
{{- end -}}
{{- end -}}

{{- define "common.shellUrl" -}}
{{- .Values.global.shell.url | default (printf "http://%s-shell" (.Release.Name | trunc 40 | trimSuffix "-")) -}}
{{- end -}}

{{- define "common.slug" -}}
{{- .Values.client.slug | default .Chart.Name -}}
{{- end -}}
