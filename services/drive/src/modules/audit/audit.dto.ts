/** Who did what to what, and when. */
export interface AuditEntryView {
  id: string;
  at: Date;
  /** Null for strangers with a link. */
  actorId: string | null;
  actorName: string;
  /** For example files.uploaded. */
  action: string;
  subjectId: string | null;
  /** Name at that time. */
  subjectName: string | null;
  details: Record<string, unknown>;
  requestId: string | null;
}
