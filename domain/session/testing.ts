import type { SessionEvent } from '../../contracts/events/session.ts';
import { toId } from '../../contracts/ids.ts';
import { commandBuilders, eventBuilders } from '../testing/index.ts';
import type { SessionCommand } from './session.ts';

/** An example session: requested at 12:00:00, ready two seconds later, a claim at 12:01:00. */
export const sessionId = toId('session', '0197f1a0-0000-7000-8000-000000000001');
export const accountId = toId('account', '0197f1a0-0000-7000-8000-000000000002');
export const nodeId = toId('node', '0197f1a0-0000-7000-8000-000000000003');

/** A time on that day: `at('12:00:02')`. */
export const at = (time: string): string => `2026-01-05T${time}.000Z`;

const egress = { udp_associate: false, dns_remote_resolve: true, quic_route: 'direct', warnings: [] };
const challenge = { type: 'hcaptcha', confidence: 0.9, detail: 'a widget in front of the page' } as const;
const unsaved = {
  profileId: 'prof_00000000-0000-4000-8000-000000000001',
  reason: 'too_large',
  detail: 'The sealed store is over 256 MiB.',
} as const;
const request = {
  sessionId,
  accountId,
  archetype: 'iphone-15',
  profileId: null,
  label: null,
  metadata: {},
  tier: 'team',
  nodeId,
  dispatchId: 'creation',
  leaseExpiresAt: at('12:01:30'),
  expiresAt: null,
  at: at('12:00:00'),
} as const;
const claim = { operation: 'navigate', dispatchId: 'first', epoch: 1 } as const;

export const events = eventBuilders<SessionEvent>({
  SessionRequested: request,
  SessionWithdrawn: { sessionId, at: at('12:01:00') },
  SessionReady: { sessionId, at: at('12:00:02') },
  OperationClaimed: { sessionId, ...claim, at: at('12:01:00') },
  OperationSettled: {
    sessionId,
    ...claim,
    outcome: 'succeeded',
    failureCategory: null,
    durationMs: 1000,
    at: at('12:01:01'),
  },
  SessionErrored: {
    sessionId,
    operation: 'navigate',
    errorName: 'DriverError',
    reason: 'driver_failure',
    durationMs: 61_000,
    at: at('12:01:01'),
  },
  SessionDestroyed: { sessionId, cause: 'customer', durationMs: 120_000, at: at('12:02:00') },
  DurationCapLifted: { sessionId, at: at('12:20:00') },
  IdleTimeoutExtended: { sessionId, usedAt: at('12:01:01'), dueAt: at('12:11:01'), at: at('12:10:00') },
  EgressCapabilitiesReported: { sessionId, reportId: 'report', capabilities: egress, at: at('12:00:03') },
  ChallengeDetected: { sessionId, reportId: 'check', challengeId: 'chl_1', challenge, at: at('12:00:04') },
  ProfileSaveFailed: { sessionId, reportId: 'save', ...unsaved, at: at('12:02:01') },
});

export const commands = commandBuilders<SessionCommand>({
  RequestSession: { request },
  WithdrawSession: { sessionId, at: at('12:01:00') },
  CompleteCreation: { dispatchId: 'creation', egress: null, at: at('12:00:02') },
  FailCreation: { dispatchId: 'creation', errorName: 'DriverError', at: at('12:00:02') },
  ExpireCreationLease: { at: at('12:01:30') },
  ClaimOperation: { operation: 'navigate', dispatchId: 'first', at: at('12:01:00') },
  SettleOperation: { dispatchId: 'first', epoch: 1, failure: null, at: at('12:01:01') },
  FailOperation: { dispatchId: 'first', epoch: 1, reason: 'driver_failure', at: at('12:01:01') },
  DestroySession: { cause: 'customer', at: at('12:02:00') },
  EnforceDurationCap: { tier: 'free', at: at('12:20:00') },
  EnforceIdleTimeout: { lastUseAt: null, at: at('12:10:00') },
  LoseBrowser: { nodeId, reason: 'node_lost', at: at('12:01:01') },
  ReportEgress: { nodeId, reportId: 'report', capabilities: egress, at: at('12:00:03') },
  ReportChallenge: { nodeId, reportId: 'check', challengeId: 'chl_1', challenge, at: at('12:00:04') },
  ReportProfileSave: { nodeId, reportId: 'save', ...unsaved, at: at('12:02:01') },
});
