{{/*
A server of one pod. Takes a dictionary: context, name, settings (of the values), port, container (its own part), volume
(path, or nothing), folders (that it writes beside).
*/}}
{{- define "platform.server" -}}
{{- $ := .context }}
{{- $settings := .settings }}
{{- $fullname := printf "%s-%s" $.Release.Name .name }}
---
apiVersion: v1
kind: Service
metadata:
  {{- include "common.metadata" (list $ .name $fullname) | nindent 2 }}
spec:
  selector:
    {{- include "common.selector" (list $ .name) | nindent 4 }}
  ports:
    - { name: server, port: {{ .port }}, targetPort: server }
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  {{- include "common.metadata" (list $ .name $fullname) | nindent 2 }}
spec:
  serviceName: {{ $fullname }}
  replicas: 1
  selector:
    matchLabels:
      {{- include "common.selector" (list $ .name) | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "common.labels" (list $ .name) | nindent 8 }}
    spec:
      {{- $user := dict "runAsUser" $settings.user "runAsGroup" $settings.user "fsGroup" $settings.user }}
      {{- mergeOverwrite (include "common.podBase" (list $ .name) | fromYaml) (dict "securityContext" (mergeOverwrite (deepCopy $.Values.podSecurityContext) $user)) | toYaml | nindent 6 }}
      terminationGracePeriodSeconds: 60
      containers:
        - name: {{ .name }}
          image: {{ include "common.image" (list $settings.image "latest" $.Values.global) }}
          imagePullPolicy: {{ $.Values.global.image.pullPolicy }}
          securityContext:
            {{- toYaml $.Values.securityContext | nindent 12 }}
          ports:
            - { name: server, containerPort: {{ .port }} }
          {{- toYaml .container | nindent 10 }}
          resources:
            {{- toYaml $settings.resources | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- range $number, $folder := .folders }}
            - { name: folder-{{ $number }}, mountPath: {{ $folder }} }
            {{- end }}
            {{- with .volume }}
            - { name: data, mountPath: {{ . }} }
            {{- end }}
      volumes:
        - { name: tmp, emptyDir: {} }
        {{- range $number, $_ := .folders }}
        - { name: folder-{{ $number }}, emptyDir: {} }
        {{- end }}
  {{- if .volume }}
  volumeClaimTemplates:
    - metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $settings.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources: { requests: { storage: {{ $settings.size }} } }
  {{- end }}
{{- if $.Values.global.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "common.metadata" (list $ .name $fullname) | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "common.selector" (list $ .name) | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        {{- include "common.releasePeer" $ | nindent 8 }}
      ports:
        - { port: {{ .port }} }
{{- end }}
{{- end -}}
