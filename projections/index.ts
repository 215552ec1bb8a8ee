export { applyBatch, type Applied } from './engine/apply-batch.ts';
export { projections, projectionNamed } from './catalogue.ts';
export { projectionMigrations } from './engine/migrations.ts';
export { startProjector, type Projector } from './engine/projector.ts';
export type { ProjectorObserver, ProjectorOptions } from './engine/projector-options.ts';
export type { TimerRow } from './read-models/timer.ts';
export {
  rebuildProjection,
  rollbackProjection,
  verifyProjection,
  type RebuildOptions,
  type Verdict,
} from './engine/rebuild.ts';
export { buildPast, type Moment, type Reached } from './engine/build-past.ts';
export { inPastSchema } from './engine/past-schema.ts';
export { demandBetween, type Demand } from './queries/fleet-demand.ts';
export type { Progress } from './engine/replay.ts';
export { projectionStatus, unappliedSince, type ReadModelStatus } from './engine/status.ts';
export { listParked, retryParked, type ParkedEvent, type Retried } from './engine/parking.ts';
export { verifyAudit, type AuditVerdict } from './audit/verify.ts';
export { exportAudit } from './audit/reading.ts';
