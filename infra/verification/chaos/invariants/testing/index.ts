import type { Evidence, LogEvent, Sample } from '../../evidence/index.ts';
import type { Exchange } from '../../history.ts';

export const account = 'acc_00000000-0000-4000-8000-000000000001';
export const uuid = '00000000-0000-4000-8000-00000000000a';
export const sessionId = `ses_${uuid}`;
const stream = `session-${uuid}`;
const at = '2026-01-05T12:00:00.000Z';

let made = 0;

/** An event, by default of the story's one session. Positions and ids rise with each call. */
export function event(type: string, changes: Partial<LogEvent> = {}): LogEvent {
  made += 1;
  const { stream: given = stream, ...rest } = changes;
  return {
    id: `event ${made}`,
    metadata: { correlation_id: `root ${made}`, causation_id: `root ${made}`, by: 'request:a test' },
    stream: given,
    category: given.slice(0, given.indexOf('-')),
    type,
    revision: 0,
    position: BigInt(made),
    created: Date.parse(at) + made,
    requestId: null,
    ...rest,
    data: { sessionId, accountId: account, at, ...changes.data },
  };
}

/** Consecutive events of one stream. */
export const inOrder = (...events: readonly LogEvent[]): readonly LogEvent[] =>
  events.map((each, revision) => ({ ...each, revision }));

/** Events of a session that was created and is live, with those of its slot. */
export const slots = `account_slots-${account.slice(4)}`;
export const reserved = (): LogEvent => event('SlotReserved', { stream: slots, requestId: 'create' });
export const lives = (...more: readonly LogEvent[]): readonly LogEvent[] => [
  event('AccountCreated', { stream: `account-${account.slice(4)}`, data: { tier: 'personal' } }),
  reserved(),
  ...inOrder(
    event('SessionRequested', {
      requestId: 'create',
      data: { dispatchId: 'launch', leaseExpiresAt: at, expiresAt: null, label: null, metadata: {} },
    }),
    event('SessionReady', { requestId: 'create' }),
    ...more,
  ),
];

export const done = (
  id: string,
  action: string,
  changes: Partial<Exchange> & { text?: string; status?: number } = {},
): Exchange => {
  const { text = '', status = 200, ...rest } = changes;
  return {
    id,
    actor: 'someone',
    account,
    action,
    target: `POST /v1/sessions/${sessionId}`,
    sentAt: 1_000,
    answeredAt: 1_100,
    answer: { kind: status < 300 ? 'done' : 'refused', status, headers: {}, text },
    ...rest,
  };
};

export const created = (): Exchange =>
  done('create', 'create', { status: 201, text: JSON.stringify({ id: sessionId, status: 'ready' }) });

/** A sample of the tables that agrees with the log. */
export const sampleOf = (log: readonly LogEvent[], changes: Partial<Sample> = {}): Sample => {
  const count = (type: string) => log.filter((each) => each.type === type).length;
  const last = log.at(-1)?.position ?? -1n;
  return {
    readModels: last,
    processes: last,
    deliveries: last,
    sessions: count('SessionRequested'),
    accounts: count('AccountCreated'),
    apiKeys: count('ApiKeyCreated'),
    parked: 0,
    ...changes,
  };
};

/** Nobody has watched or driven. */
export const nobodyCame: Evidence['live'] = {
  ...{ visits: [], touches: [], takeovers: [], holders: [], filesWithFrames: [], encodersLeft: 0 },
  use: [{ at: 1_000, viewers: 0, encoders: 0 }],
};

/** Evidence of a faultless run: one session, created and live. */
export function soundEvidence(changes: Partial<Evidence> = {}): Evidence {
  const log = changes.log ?? lives();
  return {
    history: [created()],
    faults: [],
    log,
    driver: [{ action: 'launch', session_id: sessionId, dispatch_id: 'launch' }],
    tables: {
      sessions: [{ id: sessionId, status: 'ready' }],
      agentSessions: [],
      auditLog: [],
      timers: [],
      parkedEvents: [],
      parkedReactions: [],
    },
    samples: [sampleOf(log)],
    rebuilds: [{ projection: 'sessions', matches: true, detail: '' }],
    ends: [],
    kills: [],
    processLogs: {},
    messages: [],
    mails: [],
    clockJumps: [],
    payments: { customers: [], subscriptions: [], invoices: [], crypto: [], answered: {}, callbacks: [] },
    live: nobodyCame,
    exitStatus: 0,
    leftovers: [],
    canaries: [{ name: 'password', text: 'canary-1' }],
    stored: {},
    pasts: [],
    queriedEffects: [],
    unserved: [],
    ...changes,
  };
}
