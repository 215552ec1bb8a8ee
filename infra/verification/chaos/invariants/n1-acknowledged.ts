import { isDeepStrictEqual } from 'node:util';
import type { CategoryName, EventType } from '../../../../contracts/events/index.ts';
import { field, grouped, type Evidence, type LogEvent } from '../evidence/index.ts';
import { answered, keyOf, type Exchange } from '../history.ts';
import type { Invariant, Violation } from './invariant.ts';

/** Events that each acknowledged action must have left under its request id; of several in a list, one. */
const leaves: Readonly<Record<string, readonly (EventType | readonly EventType[])[]>> = {
  create: ['SlotReserved', 'SessionRequested', 'SessionReady'],
  launch: ['SlotReserved', 'ProfileBound', 'SessionRequested', 'SessionReady'],
  'create-profile': ['ProfileQuotaReserved', 'ProfileCreated'],
  'open-agent': ['AgentSessionCreated'],
  'create-link': ['LinkCreated'],
  'open-link': ['LinkUsed'],
  operate: ['OperationClaimed', 'OperationSettled'],
  'create-key': ['ApiKeyAdmitted', 'ApiKeyCreated'],
  'rotate-key': ['ApiKeyRotated'],
  'register-webhook': ['WebhookAdmitted', 'WebhookRegistered'],
  'change-webhook': ['WebhookChanged'],
  'rotate-secret': ['WebhookSecretRotated'],
  'test-webhook': ['WebhookTestRequested'],
  'replay-delivery': ['DeliveryScheduled'],
  'replay-range': ['ReplayRequested'],
  suspend: ['AccountSuspended'],
  unsuspend: ['AccountUnsuspended'],
  'sign-up': ['AccountCreated'],
  'verify-email': ['EmailVerified'],
  'sign-in': ['WebSessionOpened'],
  'use-magic-link': ['MagicLinkUsed', 'WebSessionOpened'],
  'reset-password': ['PasswordReset'],
  invite: ['TeamMemberInvited'],
  'accept-invitation': ['TeamMemberJoined'],
  'open-checkout': [['CheckoutOpened', 'PortalOpened']],
  'open-portal': ['PortalOpened'],
  'cancel-order': ['OrderCancelled'],
};

/** Events that a refused action must not have left. */
const mayNotLeave: Readonly<Record<string, readonly EventType[]>> = {
  create: ['SessionReady'],
  launch: ['SessionReady'],
  'create-profile': ['ProfileCreated'],
  'open-agent': ['AgentSessionCreated'],
  'change-mode': ['ModeChanged'],
  'take-over': ['TakeoverRequested'],
  'create-link': ['LinkCreated'],
  'open-link': ['LinkUsed'],
  trim: ['ProfileTrimmed'],
  operate: ['OperationSettled'],
  'create-key': ['ApiKeyCreated'],
  'register-webhook': ['WebhookRegistered'],
  'change-webhook': ['WebhookChanged'],
  'rotate-secret': ['WebhookSecretRotated'],
  'test-webhook': ['WebhookTestRequested'],
  'replay-delivery': ['DeliveryScheduled'],
  'replay-range': ['ReplayRequested'],
  'sign-up': ['AccountCreated'],
  'verify-email': ['EmailVerified'],
  'sign-in': ['WebSessionOpened'],
  'use-magic-link': ['MagicLinkUsed', 'WebSessionOpened'],
  'reset-password': ['PasswordReset'],
  'confirm-merge': ['SignInMethodConfirmed'],
  invite: ['TeamMemberInvited'],
  'accept-invitation': ['TeamMemberJoined'],
  'withdraw-invitation': ['TeamInvitationWithdrawn'],
  'remove-member': ['TeamMemberRemoved'],
  'act-on-owner': ['OrganizationDescribed'],
  'open-checkout': ['CheckoutOpened', 'PortalOpened'],
  'open-portal': ['PortalOpened'],
  'cancel-order': ['OrderCancelled'],
};

/** Category of the resource that an acknowledged action created, whose id is in its answer. */
const makes: Readonly<Record<string, CategoryName>> = {
  create: 'session',
  launch: 'session',
  'create-profile': 'profile',
  'open-agent': 'agent_session',
  'create-key': 'api_key',
  'rotate-key': 'api_key',
  'register-webhook': 'webhook_endpoint',
  'place-order': 'order',
};

interface EndOf {
  readonly category: CategoryName;
  readonly types: readonly EventType[];
}

/** Ends are idempotent: only the first request makes the event, and it must exist for every acknowledged one. */
const ends: Readonly<Record<string, EndOf>> = {
  destroy: { category: 'session', types: ['SessionDestroyed', 'SessionErrored'] },
  'close-agent': { category: 'agent_session', types: ['AgentSessionClosed'] },
  'revoke-link': { category: 'agent_session', types: ['LinkRevoked', 'AgentSessionClosed'] },
  'delete-webhook': { category: 'webhook_endpoint', types: ['WebhookDeleted'] },
  'revoke-key': { category: 'api_key', types: ['ApiKeyRevoked'] },
  'withdraw-invitation': { category: 'team_member', types: ['TeamInvitationWithdrawn'] },
  'remove-member': { category: 'team_member', types: ['TeamMemberRemoved'] },
};
export const isEnd = (action: string): boolean => action in ends;

export const acknowledgedIsStored: Invariant = {
  id: 'N1',
  holds:
    'An acknowledged command’s events are in the log exactly once and in order; an unacknowledged one’s once or not at all.',
  judged:
    'the log, read with the vendor’s client, against the clients’ history by request id, and against itself',
  violations: (evidence) => [...streamOrder(evidence), ...acknowledged(evidence), ...keyedCreates(evidence)],
};

/** Event ids are unique, revisions have no gap, positions rise. */
function streamOrder({ log }: Evidence): Violation[] {
  const found: Violation[] = [];
  const ids = new Set<string>();
  const revisions = new Map<string, number>();
  let last = -1n;
  for (const { id, stream, revision, position, type } of log) {
    if (ids.has(id)) found.push({ what: `${type} ${id} is in the log twice`, stream });
    ids.add(id);
    const before = revisions.get(stream);
    if (before !== undefined && revision !== before + 1)
      found.push({ what: `revision ${revision} follows ${before}`, stream });
    revisions.set(stream, revision);
    if (position <= last) found.push({ what: `position ${position} follows ${last}`, stream });
    last = position;
  }
  return found;
}

function acknowledged({ history, log }: Evidence): Violation[] {
  const caused = grouped(log, ({ requestId }) => requestId ?? '');
  const streams = grouped(log, ({ stream }) => stream);
  return history.flatMap((exchange) => {
    const events = caused.get(exchange.id) ?? [];
    return [
      ...repeated(exchange, events),
      ...missing(exchange, events),
      ...unmade(exchange, streams),
      ...ended(exchange, streams),
      ...misrecorded(exchange, events),
    ];
  });
}

/**
 * No request makes the same event twice, with four exceptions:
 *
 * - The client repeats a PUT whose answer was lost. The repetition is a further change if another request came in
 *   between.
 * - Receipts belong to a key, which passes between requests.
 * - A request that takes over a key releases the previous session's slot, and possibly its own.
 * - A message has many steps, which N17 counts.
 */
function repeated(
  { id, action, target, answer: { tries = 1 } }: Exchange,
  events: readonly LogEvent[],
): Violation[] {
  if (action === 'say') return [];
  const own = events.filter(({ category }) => category !== 'receipt');
  const kinds = grouped(own, (event) => `${event.type} of ${subjectOf(event)} in ${event.stream}`);
  return [...kinds]
    .filter(([, same]) => same.length > (target.startsWith('PUT ') ? tries : 1))
    .map(([kind, same]) => ({ what: `one ${action} left ${same.length} ${kind}`, requests: [id] }));
}

/** A request that finds a quota full releases the reservations of several resources whose requests have died. */
const subjectOf = (event: LogEvent): string =>
  field(event, event.type === 'ApiKeyDismissed' ? 'apiKeyId' : 'sessionId');

function missing({ id, action, answer }: Exchange, events: readonly LogEvent[]): Violation[] {
  const has = (type: string) => events.some((event) => event.type === type);
  if (answer.kind === 'refused' || (answer.kind === 'unknown' && answer.isUnchanged === true)) {
    const wrong = (mayNotLeave[action] ?? []).filter(has);
    // An operation interrupted by the session's end settles nothing; one that failed because of the page does.
    return wrong.map((type) => ({
      what: `a refused ${action} (${answer.status ?? 'unsent'}) left ${type}`,
      requests: [id],
    }));
  }
  if (answer.kind !== 'done' || answer.headers['idempotency-replayed'] === 'true') return [];
  const lost = (leaves[action] ?? []).map((types) => [types].flat()).filter((types) => !types.some(has));
  return lost.map((types) => ({
    what: `an acknowledged ${action} left no ${types.join(' or ')}`,
    requests: [id],
  }));
}

function unmade(exchange: Exchange, streams: ReadonlyMap<string, unknown>): Violation[] {
  const { id, action, answer } = exchange;
  const category = makes[action];
  if (category === undefined || answer.kind !== 'done') return [];
  const stream = `${category}-${uuidIn(String(answered(exchange, 'id')))}`;
  if (streams.has(stream)) return [];
  return [{ what: `what an acknowledged ${action} made is not in the log`, requests: [id], stream }];
}

function ended(
  { id, action, target, answer }: Exchange,
  streams: ReadonlyMap<string, readonly LogEvent[]>,
): Violation[] {
  const end = ends[action];
  if (end === undefined || answer.kind !== 'done') return [];
  const stream = `${end.category}-${uuidIn(target)}`;
  if (streams.get(stream)?.some(({ type }) => end.types.some((each) => each === type))) return [];
  return [{ what: `an acknowledged ${action} left ${stream} without its end`, requests: [id], stream }];
}

/** The first event of a session matches its request. */
function misrecorded({ id, action, body }: Exchange, events: readonly LogEvent[]): Violation[] {
  if (action !== 'create') return [];
  const asked = { label: null, metadata: {}, ...(typeof body === 'object' ? body : {}) };
  return events
    .filter(({ type, data }) => type === 'SessionRequested' && !says(data, asked))
    .map(({ stream }) => ({ what: 'a session is not what its request asked for', requests: [id], stream }));
}

const says = (
  { label, metadata }: LogEvent['data'],
  asked: { readonly label: unknown; readonly metadata: unknown },
): boolean => isDeepStrictEqual({ label, metadata }, { label: asked.label, metadata: asked.metadata });

/** First event of resources created with an idempotency key; messages and orders have their own invariants. */
const begins: Readonly<Record<string, EventType>> = {
  create: 'SessionRequested',
  launch: 'SessionRequested',
  'open-agent': 'AgentSessionCreated',
};

/**
 * Calls with the same idempotency key make one resource at most, and have byte-identical acknowledgements. If all known answers
 * of a key are refusals, nothing was made.
 */
function keyedCreates({ history, log }: Evidence): Violation[] {
  const keyed = history.filter((call) => call.action in begins && keyOf(call) !== undefined);
  const groups = grouped(keyed, (call) => `${call.account} ${call.action} ${call.target} ${keyOf(call)}`);
  const caused = grouped(log, ({ requestId }) => requestId ?? '');
  return [...groups.values()].flatMap((calls) => {
    const { action } = calls[0] ?? { action: '' };
    const events = calls.flatMap(({ id }) => caused.get(id) ?? []);
    const made = events.filter(({ type }) => type === begins[action]).length;
    const requests = calls.map(({ id }) => id);
    const done = calls.filter(({ answer }) => answer.kind === 'done');
    const answers = new Set(done.map(({ answer }) => answer.text)).size;
    const left = events.find(({ type }) => mayNotLeave[action]?.some((each) => each === type));
    const isRefused = done.length === 0 && calls.some(({ answer }) => answer.kind === 'refused');
    return [
      ...(made > 1 ? [{ what: `one idempotency key left ${made} ${begins[action]}`, requests }] : []),
      ...(answers > 1 ? [{ what: `one idempotency key got ${answers} answers`, requests }] : []),
      ...(isRefused && left !== undefined
        ? [{ what: `one idempotency key was refused and left ${left.type}`, requests }]
        : []),
    ];
  });
}

/** The id in a path, or alone, without its prefix. */
const uuidIn = (text: string): string => /_([0-9a-f-]{36})/.exec(text)?.[1] ?? '';
