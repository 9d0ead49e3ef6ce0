{{- define "common.autoscaler" -}}
{{- with .Values.autoscaling }}
{{- if .enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "common.metadata" (list $ "server" (include "common.fullname" $)) | nindent 2 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ include "common.fullname" $ }} }
  minReplicas: {{ .minReplicas }}
  maxReplicas: {{ .maxReplicas }}
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ .targetCPU }} } }
  behavior:
    scaleDown: { stabilizationWindowSeconds: 300 }
{{- end }}
{{- end }}
{{- end -}}

{{- define "common.fewestPods" -}}
{{- .Values.autoscaling.enabled | ternary .Values.autoscaling.minReplicas .Values.replicas -}}
{{- end -}}

{{- define "common.disruptionBudget" -}}
{{- if and .Values.podDisruptionBudget.enabled (gt (include "common.fewestPods" . | int) 1) }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "common.metadata" (list . "server" (include "common.fullname" .)) | nindent 2 }}
spec:
  maxUnavailable: {{ .Values.podDisruptionBudget.maxUnavailable }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "common.selector" (list . "server") | nindent 6 }}
{{- end }}
{{- end -}}
