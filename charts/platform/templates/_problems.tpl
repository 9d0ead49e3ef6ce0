{{/*
Operator and satellites, whose charts cannot see the values of the Shell's, call it by the name and port it has unless
somebody changes them. As a JSON list of texts.
*/}}
{{- define "platform.shellProblems" -}}
{{- $problems := list -}}
{{- if not .Values.global.shell.url -}}
{{- if not .Values.shell.enabled -}}
{{- $problems = append $problems "global.shell.url must be the address of the Shell, since shell.enabled is false" -}}
{{- end -}}
{{- range .parts -}}
{{- if eq .Chart.Name "shell" -}}
{{- $address := printf "http://%s%s" (include "common.fullname" .) (eq (int .Values.service.port) 80 | ternary "" (printf ":%d" (int .Values.service.port))) -}}
{{- if ne $address (include "common.shellUrl" .) -}}
{{- $problems = append $problems (printf "global.shell.url must be %s: shell.nameOverride, shell.fullnameOverride or shell.service.port changed the Shell's address" $address) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}

{{/*
SatelliteApps of this release whose part is off from now on: the job that takes them out goes with the part, and the
launchpad would show them for ever. As a JSON list of texts. A cluster without the kind is not asked: `lookup` fails there.
*/}}
{{- define "platform.leftApps" -}}
{{- $problems := list -}}
{{- $staying := list -}}
{{- range .parts }}{{ if .Values.satelliteApp.enabled }}{{ $staying = append $staying (.Files.Get "satelliteapp.yaml" | fromYaml).metadata.name }}{{ end }}{{ end -}}
{{- if and .Release.IsUpgrade (.Capabilities.APIVersions.Has "platform.satellite.io/v1alpha1/SatelliteApp") -}}
{{- range (lookup "platform.satellite.io/v1alpha1" "SatelliteApp" .Release.Namespace "" | default dict).items -}}
{{- $ofRelease := eq (dig "labels" "app.kubernetes.io/instance" "" .metadata) $.Release.Name -}}
{{- if and $ofRelease (not (has .metadata.name $staying)) -}}
{{- $problems = append $problems (printf "SatelliteApp %s would stay in the launchpad without its satellite. Take it out first: kubectl delete satelliteapp -n %s %s" .metadata.name $.Release.Namespace .metadata.name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end -}}
