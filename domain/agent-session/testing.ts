import type { AgentSessionEvent, TurnUsage } from '../../contracts/events/agent-session.ts';
import { toId } from '../../contracts/ids.ts';
import { commandBuilders, eventBuilders } from '../testing/index.ts';
import type { AgentSessionCommand } from './commands.ts';
import { exists, type AgentSession, type ExistingAgentSession } from './state.ts';

export const uuid = (n: number): string => `0197f1a0-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const agentSessionId = toId('agentSession', uuid(1));
export const accountId = toId('account', uuid(2));
export const sessionId = toId('session', uuid(3));
export const otherSession = toId('session', uuid(4));
export const turnId = uuid(5);
export const otherTurn = uuid(6);
export const clientId = 'console-1';
export const otherClient = 'console-2';
export const participant = `customer-${uuid(2)}`;
export const otherParticipant = `customer-${uuid(9)}`;
export const challengeId = 'chl_1';
export const at = '2026-01-05T12:00:00.000Z';
export const leaseExpiresAt = '2026-01-05T12:00:30.000Z';
export const heartbeatDueAt = '2026-01-05T12:00:30.000Z';
export const resumeUntil = '2026-01-05T12:10:00.000Z';
export const linkId = toId('link', uuid(7));
export const otherLink = toId('link', uuid(8));
export const linkExpiresAt = '2026-01-05T12:10:00.000Z';
export const leaseMs = 30_000;

/** The agent session; throws unless the test has created it. */
export function existing(state: AgentSession): ExistingAgentSession {
  if (exists(state)) return state;
  throw new Error(`The agent session is ${state.status}.`);
}

const of = { agentSessionId, accountId };
const ofTurn = { ...of, turnId };
export const usage: TurnUsage = {
  decomposerKind: 'own_key',
  model: 'a-model',
  inputTokens: 60,
  outputTokens: 40,
  costCents: 1,
};
export const failure = {
  code: 'browser_lost',
  severity: 'error',
  summary: 'The browser is gone.',
  detail: null,
  customerActionable: false,
  retryable: true,
} as const;

const created = {
  ...of,
  mode: 'ai',
  model: 'a-model',
  tokenBudget: 1000,
  createdBy: accountId,
  attached: null,
  profileId: null,
  proxyId: null,
  sealedStart: null,
  opensInitialUrl: false,
} as const;
const decomposed = {
  round: 1,
  decision: 'plan',
  intents: 2,
  after: 'done',
  sealedPlan: 'sealed plan',
  usage,
  tokens: 100,
} as const;
const settledIntent = {
  index: 0,
  outcome: 'success',
  category: null,
  sealedResult: 'sealed result',
} as const;
const settled = { kind: 'plan-executed', ok: true, limit: null, sealedAnswer: 'sealed answer' } as const;
const ended = { phase: 'decomposing', cause: 'takeover' } as const;

export const events = eventBuilders<AgentSessionEvent>({
  AgentSessionCreated: { ...created, at },
  AgentSessionWithdrawn: { ...of, at },
  MessageLogged: { ...ofTurn, entryIndex: 0, sealedMessage: 'sealed message', at },
  TurnAdmitted: { ...ofTurn, entryIndex: 0, sealedMessage: 'sealed message', epoch: 1, leaseExpiresAt, at },
  MessageRecorded: { ...ofTurn, entryIndex: 0, sealedMessage: 'sealed message', at },
  MessageWithdrawn: { ...ofTurn, at },
  TurnDecomposed: { ...ofTurn, ...decomposed, at },
  DriverSessionSpawned: { ...ofTurn, sessionId, at },
  DriverSessionLost: { ...of, sessionId, cause: 'ended', at },
  DrainAnnounced: { ...of, sessionId, endsBy: null, at },
  InitialUrlOpened: { ...ofTurn, sessionId, at },
  IntentSettled: { ...ofTurn, ...settledIntent, at },
  TurnReadBack: { ...ofTurn, usage, tokens: 100, at },
  TurnSettled: { ...ofTurn, ...settled, entryIndex: 1, at },
  TurnFailed: { ...ofTurn, problem: 'byok-llm-required', entryIndex: 1, sealedAnswer: 'sealed answer', at },
  TurnSuperseded: { ...ofTurn, ...ended, entryIndex: 1, sealedAnswer: 'sealed interrupted', at },
  TurnAbandoned: { ...ofTurn, phase: 'decomposing', entryIndex: 1, at },
  ErrorRaised: { ...of, ...failure, at },
  ModeChanged: { ...of, from: 'ai', mode: 'manual', epoch: 2, at },
  TakeoverRequested: { ...of, clientId, trigger: 'takeover', queued: false, epoch: 2, heartbeatDueAt, at },
  TakeoverPromoted: { ...of, clientId, heartbeatDueAt, at },
  TakeoverGranted: { ...of, clientId, heartbeatDueAt, at },
  TakeoverExpired: { ...of, clientId, at },
  PairModeTimedOut: { ...of, clientId, epoch: 3, at },
  HandbackRequested: { ...of, queued: false, epoch: 3, at },
  HandbackPromoted: { ...of, at },
  HandbackCompleted: { ...of, at },
  ScreenTakenOver: { ...of, participant, at },
  AgentSessionPaused: { ...of, sessionId, challengeId, epoch: 2, at },
  ResumeRequested: { ...of, challengeId, expiresAt: resumeUntil, at },
  ResumeExpired: { ...of, challengeId, at },
  AgentSessionResumed: { ...of, challengeId, at },
  BrowserChanged: { ...of, change: 'cookies_set', at },
  LinkCreated: { ...of, linkId, right: 'watch', expiresAt: linkExpiresAt, createdBy: accountId, at },
  LinkUsed: { ...of, linkId, at },
  LinkRevoked: { ...of, linkId, at },
  AgentIdleTimeoutExtended: { ...of, usedAt: at, dueAt: resumeUntil, at: resumeUntil },
  AgentSessionClosed: { ...of, reason: 'customer-closed', epoch: 2, at },
});

const step = { turnId, sealedInterrupted: 'sealed interrupted', heartbeatDueAt, at };

export const commands = commandBuilders<AgentSessionCommand>({
  CreateAgentSession: { ...created, at },
  WithdrawAgentSession: { ...of, at },
  AdmitMessage: {
    turnId,
    sealedMessage: 'sealed message',
    sealedExhausted: 'sealed exhausted',
    leaseExpiresAt,
    at,
  },
  WithdrawMessage: { turnId, at },
  ContinueTurn: step,
  RecordDecomposition: { ...step, ...decomposed },
  SpawnDriverSession: { ...step, sessionId },
  OpenInitialUrl: { ...step, sessionId },
  SettleIntent: { ...step, ...settledIntent },
  RecordReadBack: { ...step, usage, tokens: 100 },
  SettleTurn: { ...step, ...settled },
  FailTurn: { ...step, problem: 'byok-llm-required', sealedAnswer: 'sealed answer', failure: null },
  AbandonTurn: { leaseMs, lastHeartbeatAt: null, heartbeatDueAt, at: leaseExpiresAt },
  TakeOver: { clientId, trigger: 'takeover', heartbeatDueAt, at },
  ExpireHeartbeat: { heartbeatMs: leaseMs, lastHeartbeatAt: null, at: heartbeatDueAt },
  GrantTakeover: { clientId, heartbeatDueAt, at },
  HandBack: { at },
  CompleteHandback: { at },
  ChangeMode: { mode: 'manual', at },
  TakeOverScreen: { participant, at },
  Pause: { sessionId, challengeId, at },
  RequestResume: { challengeId: null, expiresAt: resumeUntil, at },
  ExpireResume: { at: resumeUntil },
  Resume: { challengeId, at },
  LoseDriverSession: { sessionId, cause: 'ended', failure: null, endedAt: null, at },
  AnnounceDrain: { sessionId, endsBy: null, at },
  StartDriverSession: { sessionId, at },
  StartAtInitialUrl: { sessionId, at },
  RaiseError: { ...failure, at },
  RecordBrowserChange: { change: 'cookies_set', at },
  CreateLink: { linkId, right: 'watch', expiresAt: linkExpiresAt, createdBy: accountId, at },
  UseLink: { linkId, at },
  RevokeLink: { linkId, at },
  Close: { reason: 'customer-closed', at },
  EnforceIdleTimeout: { lastUseAt: null, at: resumeUntil },
});
