/** Ephemeral data: its loss costs the freshness of a reply, or some time, and no fact. */
export { anyAccount, createAccountPositions, type AccountPositions } from './account-positions.ts';
export { createCardChecks, type CardChecks } from './card-checks.ts';
export { createDeprecatedUses, forgetUse, recordedUses, type DeprecatedUses } from './deprecated-uses.ts';
export { createHeartbeats, type Heartbeats } from './heartbeats.ts';
export { createKeyUses, type KeyUses } from './key-uses.ts';
export { createServedRequests, type AnswerRecord, type ServedRequests } from './served-requests.ts';
export { createSemaphore, type Semaphore } from './semaphore.ts';
