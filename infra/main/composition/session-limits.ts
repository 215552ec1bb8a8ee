import type { SessionLimits } from '../../../commands/session/index.ts';
import type { Config } from '../../config/index.ts';

export const sessionLimits = (config: Config): SessionLimits => ({
  slotLeaseMs: config.SLOT_LEASE,
  creationDeadlineMs: config.CREATION_DEADLINE,
  creationLeaseMs: config.CREATION_LEASE,
  operationTimeoutMs: config.OPERATION_TIMEOUT,
  silenceGraceMs: config.OPERATION_TIMEOUT_GRACE,
  freeSessionMs: config.FREE_SESSION_LIMIT,
});
