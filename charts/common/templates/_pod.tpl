{{/* What all pods have, whatever they do. Takes a list: context, component. */}}
{{- define "common.podBase" -}}
{{- $ := index . 0 -}}
automountServiceAccountToken: false
{{- with $.Values.global.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  {{- toYaml $.Values.podSecurityContext | nindent 2 }}
{{- with $.Values.nodeSelector | default $.Values.global.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $.Values.tolerations | default $.Values.global.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Image and security of a container of the service. */}}
{{- define "common.containerBase" -}}
image: {{ include "common.image" (list .Values.image .Chart.AppVersion .Values.global) }}
imagePullPolicy: {{ .Values.image.pullPolicy | default .Values.global.image.pullPolicy }}
securityContext:
  {{- toYaml .Values.securityContext | nindent 2 }}
{{- end -}}

{{/* What every container of the service mounts, and the volumes for it. */}}
{{- define "common.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .Values.global.caBundle.configMap }}
- { name: trust, mountPath: /trust, readOnly: true }
{{- end }}
{{- end -}}

{{- define "common.volumes" -}}
- { name: tmp, emptyDir: {} }
{{- with .Values.global.caBundle.configMap }}
- { name: trust, configMap: { name: {{ . }} } }
{{- end }}
{{- end -}}

{{/* Small programs beside the service: jobs, init containers, tests. */}}
{{- define "common.smallResources" -}}
resources:
  requests: { cpu: 50m, memory: 96Mi }
  limits: { memory: 256Mi }
{{- end -}}

{{- define "common.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (.Values.serviceAccount.create | ternary (include "common.fullname" .) "default") -}}
{{- end -}}

{{- define "common.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "common.metadata" (list . "server" (include "common.serviceAccountName" .) .Values.serviceAccount.annotations) | nindent 2 }}
automountServiceAccountToken: false
{{- end }}
{{- end -}}

{{- define "common.probes" -}}
startupProbe:
  httpGet: { path: {{ .Values.probes.live }}, port: http }
  periodSeconds: 2
  failureThreshold: {{ max 1 (div (int .Values.probes.startSeconds) 2) }}
livenessProbe:
  httpGet: { path: {{ .Values.probes.live }}, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: {{ .Values.probes.ready }}, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
{{- end -}}

{{- define "common.topologySpread" -}}
{{- if .Values.topologySpread.enabled }}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: {{ $.Values.topologySpread.whenUnsatisfiable }}
    labelSelector:
      matchLabels:
        {{- include "common.selector" (list $ "server") | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- end }}
{{- end -}}

{{- define "common.deployment" }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "common.metadata" (list . "server" (include "common.fullname" .)) | nindent 2 }}
spec:
  {{- if not .Values.autoscaling.enabled }}
  replicas: {{ .Values.replicas }}
  {{- end }}
  revisionHistoryLimit: {{ .Values.revisionHistoryLimit }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  selector:
    matchLabels:
      {{- include "common.selector" (list . "server") | nindent 6 }}
  template:
    metadata:
      labels:
        {{- mergeOverwrite (deepCopy .Values.podLabels) (include "common.labels" (list . "server") | fromYaml) | toYaml | nindent 8 }}
      {{- with .Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- mergeOverwrite (include "common.podBase" (list . "server") | fromYaml) (dict "automountServiceAccountToken" .Values.serviceAccount.automount) | toYaml | nindent 6 }}
      serviceAccountName: {{ include "common.serviceAccountName" . }}
      terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
      {{- with .Values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with .Values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- include "common.topologySpread" . | nindent 6 }}
      {{- $migration := include "common.migrationContainer" . }}
      {{- if or $migration .Values.extraInitContainers }}
      initContainers:
        {{- $migration | nindent 8 }}
        {{- with .Values.extraInitContainers }}
        {{- tpl (toYaml .) $ | nindent 8 }}
        {{- end }}
      {{- end }}
      containers:
        - name: {{ include "common.name" . }}
          {{- include "common.containerBase" . | nindent 10 }}
          {{- with .Values.args }}
          args:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            - { name: http, containerPort: {{ .Values.port }} }
          env:
            {{- include "common.envList" (include "common.env" . | fromJson) | indent 12 }}
            {{- with .Values.extraEnv }}
            {{- tpl (toYaml .) $ | nindent 12 }}
            {{- end }}
          {{- with .Values.extraEnvFrom }}
          envFrom:
            {{- tpl (toYaml .) $ | nindent 12 }}
          {{- end }}
          {{- include "common.probes" . | nindent 10 }}
          resources:
            {{- toYaml .Values.resources | nindent 12 }}
          volumeMounts:
            {{- include "common.mounts" . | nindent 12 }}
            {{- with .Values.extraVolumeMounts }}
            {{- tpl (toYaml .) $ | nindent 12 }}
            {{- end }}
        {{- with .Values.extraContainers }}
        {{- tpl (toYaml .) $ | nindent 8 }}
        {{- end }}
      volumes:
        {{- include "common.volumes" . | nindent 8 }}
        {{- with .Values.extraVolumes }}
        {{- tpl (toYaml .) $ | nindent 8 }}
        {{- end }}
{{- end -}}

{{- define "common.service" }}
---
apiVersion: v1
kind: Service
metadata:
  {{- include "common.metadata" (list . "server" (include "common.fullname" .) .Values.service.annotations) | nindent 2 }}
spec:
  type: {{ .Values.service.type }}
  selector:
    {{- include "common.selector" (list . "server") | nindent 4 }}
  ports:
    - { name: http, port: {{ .Values.service.port }}, targetPort: http }
{{- end -}}
