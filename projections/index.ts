export { applyBatch, type Applied } from './apply-batch.ts';
export { projections, projectionNamed } from './catalogue.ts';
export { projectionMigrations } from './migrations.ts';
export {
  startProjector,
  type BatchApplied,
  type Projector,
  type ProjectorObserver,
  type ProjectorOptions,
} from './projector.ts';
export type { TimerKind, TimerRow } from './timers.ts';
export {
  rebuildProjection,
  rollbackProjection,
  verifyProjection,
  type RebuildOptions,
  type Verdict,
} from './rebuild.ts';
export type { Progress } from './progress.ts';
export { listParked, retryParked, type ParkedEvent, type Retried } from './parked-events.ts';
export { verifyAudit, type AuditVerdict } from './audit/verify.ts';
export { exportAudit } from './audit/export.ts';
