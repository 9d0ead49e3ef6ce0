{{/* Contexts of the installed charts with their merged values, as { parts }. A list cannot be returned, so it is set. */}}
{{- define "platform.parts" -}}
{{- include "common.init" . -}}
{{- $parts := list -}}
{{- range $name := keys .Subcharts | sortAlpha -}}
{{- $part := get $.Subcharts $name -}}
{{- if hasKey $part.Values "common" -}}
{{- $values := mergeOverwrite (deepCopy $part.Values.common) $part.Values -}}
{{- $parts = append $parts (dict "Values" $values "Chart" $part.Chart "Release" $part.Release "Capabilities" $part.Capabilities "Template" $.Template "Files" $part.Files) -}}
{{- end -}}
{{- end -}}
{{- $_ := set . "parts" $parts -}}
{{- end -}}

{{/* Slugs of the installed charts that have a client at the Shell, as JSON. */}}
{{- define "platform.slugs" -}}
{{- $slugs := list -}}
{{- range .parts }}{{ if .Values.client.enabled }}{{ $slugs = append $slugs (include "common.slug" .) }}{{ end }}{{ end -}}
{{- toJson $slugs -}}
{{- end -}}
