import type { RecordedEvent } from '../../event-store/client/types.ts';
import { accountSlots, type AccountSlots } from '../../../domain/account-slots.ts';
import { session } from '../../../domain/session/session.ts';
import { isLive, type Session } from '../../../domain/session/state.ts';
import type { AccountSlotsEvent } from '../../../contracts/events/account-slots.ts';
import type { SessionEvent } from '../../../contracts/events/session.ts';
import { uuidOf, type SessionId } from '../../../contracts/ids.ts';
import { hashOf } from '../../../projections/audit/entry.ts';
import { compare } from '../../event-store/client/position.ts';
import { withoutCause } from '../causes.ts';
import { ReadSide } from './read-side.ts';
import { webhookPromises } from './webhook-invariants.ts';
import type { World } from './world.ts';

/** Violations of each promise of the service, by the promise's name in the docs. */
const promises: Readonly<Record<string, (world: World) => readonly string[]>> = {
  'N1 stored once': storedOnce,
  'N1 one effect per key': oneEffectPerKey,
  'N1 answered means done': answeredMeansDone,
  'N3 read models are folds of the log': readModelsAreFolds,
  'N4 checkpoints never go back': checkpointsGoForward,
  'N5 timers': timersTookEffect,
  'N6 one dispatch per claim': dispatchesAreClaimed,
  'N7 audit': audited,
  'N8 slots': slotsAreSessions,
  'every event but a root has its cause in the log': ({ store }) => withoutCause(store.log),
  settled: everythingSettled,
  ...webhookPromises,
};

export const violations = (world: World): readonly string[] =>
  Object.entries(promises).flatMap(([name, broken]) => broken(world).map((what) => `${name}: ${what}`));

const sessionsOf = ({ store }: World): Map<SessionId, Session> => {
  const states = new Map<SessionId, Session>();
  for (const event of store.log.filter(isSession)) {
    const { sessionId } = event.data;
    states.set(sessionId, session.evolve(states.get(sessionId) ?? session.initialState, event));
  }
  return states;
};

type Of<Event> = RecordedEvent & Event;
const isSession = (event: RecordedEvent): event is Of<SessionEvent> => event.category === 'session';
const isSlot = (event: RecordedEvent): event is Of<AccountSlotsEvent> => event.category === 'account_slots';

function storedOnce({ store }: World): string[] {
  const ids = store.log.filter(({ category }) => category !== 'snapshot').map(({ id }) => id);
  return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id} is there twice`);
}

function oneEffectPerKey({ store, asked }: World): string[] {
  const admitted = new Map<string, string[]>();
  for (const { type, stream, data } of store.log) {
    if (type !== 'ReceiptAdmitted') continue;
    const { resourceId } = data as { readonly resourceId: string };
    admitted.set(stream, [...(admitted.get(stream) ?? []), resourceId]);
  }
  const requested = new Set(
    store.log.filter(({ type }) => type === 'SessionRequested').map(({ stream }) => stream),
  );
  const twice = [...admitted].flatMap(([stream, ids]) => {
    const made = ids.filter((id) => requested.has(`session-${uuidOf(id as SessionId)}`));
    return made.length > 1 ? [`${stream} made ${made.join(' and ')}`] : [];
  });
  const answers = new Map<string, string>();
  const changed: string[] = [];
  for (const { key, account, reply } of asked) {
    if (key === undefined || reply.kind !== 'done' || !reply.value.startsWith('201')) continue;
    const known = answers.get(`${account} ${key}`);
    if (known !== undefined && known !== reply.value) changed.push(`${key} was answered in two ways`);
    answers.set(`${account} ${key}`, reply.value);
  }
  return [...twice, ...changed];
}

function answeredMeansDone(world: World): string[] {
  const { asked, store } = world;
  return asked.flatMap(({ what, session: id, commandId, reply, logLength }) => {
    if (id === undefined || reply.kind === 'unknown') return [];
    const seen = store.log
      .slice(0, logLength)
      .filter(isSession)
      .filter(({ data }) => data.sessionId === id);
    const count = (type: string, dispatchId?: string): number =>
      seen.filter(
        (event) =>
          event.type === type &&
          (dispatchId === undefined || ('dispatchId' in event.data && event.data.dispatchId === dispatchId)),
      ).length;
    const expectation = expected[what](reply.kind === 'done' ? 'done' : reply.slug, (type) =>
      what === 'operate' ? count(type, commandId) : count(type),
    );
    return expectation ? [] : [`${what} of ${id} was told ${JSON.stringify(reply)}`];
  });
}

type Count = (type: string) => number;
const expected: Record<World['asked'][number]['what'], (reply: string, count: Count) => boolean> = {
  create: (reply, count) => {
    if (reply === 'done') return count('SessionRequested') === 1 && count('SessionReady') === 1;
    return reply !== 'conflict' || count('SessionRequested') === 0;
  },
  operate: (reply, count) => {
    if (reply === 'done') return count('OperationClaimed') === 1 && count('OperationSettled') === 1;
    return reply !== 'conflict' || count('OperationClaimed') === 0;
  },
  destroy: (reply, count) => reply !== 'done' || count('SessionDestroyed') + count('SessionErrored') === 1,
};

function readModelsAreFolds({ store, reads }: World): string[] {
  const again = new ReadSide();
  again.commit(store.log);
  const [kept, folded] = [reads.content(), again.content()];
  return Object.keys(folded).filter((name) => JSON.stringify(kept[name]) !== JSON.stringify(folded[name]));
}

function checkpointsGoForward({ checkpoints, deliveryCheckpoints }: World): string[] {
  return [checkpoints, deliveryCheckpoints].flatMap((all) =>
    all.flatMap((position, index) => {
      const before = all[index - 1];
      return before !== undefined && compare(position, before) < 0
        ? [`from ${before.commit} to ${position.commit}`]
        : [];
    }),
  );
}

function timersTookEffect(world: World): string[] {
  const now = world.clock.now().getTime();
  const overdue = [...world.reads.timers.rows.values()]
    .filter(({ due_at }) => Date.parse(due_at) < now - 60_000)
    .map(({ id, due_at }) => `${id} was due at ${due_at}`);
  const states = sessionsOf(world);
  const early = world.store.log.filter(isSession).flatMap((event) => {
    const state = states.get(event.data.sessionId);
    if (state === undefined || state.status === 'none') return [];
    const dueAt =
      event.type === 'SessionErrored' && event.data.reason === 'lease_expired'
        ? state.leaseExpiresAt
        : event.type === 'SessionDestroyed' && event.data.cause === 'duration_cap'
          ? state.expiresAt
          : null;
    return dueAt !== null && event.data.at < dueAt ? [`${event.stream} ended before ${dueAt}`] : [];
  });
  return [...overdue, ...early];
}

function dispatchesAreClaimed({ store, fleet: { calls } }: World): string[] {
  const allowed = new Set(
    store.log
      .filter(isSession)
      .flatMap(({ type, data }) =>
        type === 'SessionRequested' || type === 'OperationClaimed'
          ? [`${data.sessionId} ${data.dispatchId}`]
          : [],
      ),
  );
  return calls.flatMap(({ session: id, dispatchId, kind, begunAt }, index) => {
    if (!allowed.has(`${id} ${dispatchId}`)) return [`${kind} ${dispatchId} has no claim`];
    const earlier = calls.slice(0, index).filter((call) => call.session === id);
    if (earlier.some((call) => call.dispatchId === dispatchId)) return [`${kind} ${dispatchId} ran twice`];
    const overlaps = earlier.some(({ endedAt }) => endedAt === undefined || endedAt > begunAt);
    return overlaps ? [`${kind} ${dispatchId} ran beside another`] : [];
  });
}

const auditedTypes = new Set(['SessionRequested', 'OperationSettled', 'SessionErrored', 'SessionDestroyed']);

function audited({ store, reads }: World): string[] {
  const entries = [...reads.audit.rows.values()];
  const mutations = store.log.filter(({ type }) => auditedTypes.has(type)).length;
  const ofSessions = entries.filter(({ target }) => target.type === 'session').length;
  const missing = mutations === ofSessions ? [] : [`${ofSessions} entries of ${mutations} mutations`];
  const broken = entries.flatMap(({ hash, ...entry }) => {
    const before = entries.find(
      ({ account_id, sequence }) => account_id === entry.account_id && sequence === entry.sequence - 1,
    );
    const follows = entry.sequence === 1 || before?.hash === entry.prev_hash;
    return follows && hashOf(entry) === hash ? [] : [`entry ${entry.sequence} of ${entry.account_id}`];
  });
  return [...missing, ...broken];
}

/** A live session always holds a slot, and no account holds more than its cap; at the end no other slot is held. */
function slotsAreSessions(world: World): string[] {
  const slots = new Map<string, AccountSlots>();
  const states = new Map<SessionId, Session>();
  const broken = new Set<string>();
  const holds = (accountId: string, id: SessionId): boolean =>
    slots.get(accountId)?.slots.some(({ sessionId }) => sessionId === id) ?? false;
  for (const event of world.store.log) {
    if (isSlot(event)) {
      const { accountId } = event.data;
      slots.set(accountId, accountSlots.evolve(slots.get(accountId) ?? accountSlots.initialState, event));
    }
    if (isSession(event)) {
      const { sessionId } = event.data;
      states.set(sessionId, session.evolve(states.get(sessionId) ?? session.initialState, event));
    }
    for (const [id, state] of states) {
      if (isLive(state) && !holds(state.accountId, id)) broken.add(`${id} lives without a slot`);
    }
    const overfull = world.accounts.filter(({ id, cap }) => heldBy(slots.get(id)) > cap);
    for (const { id, cap } of overfull) broken.add(`${id} holds more than ${cap}`);
  }
  const left = [...slots.values()].flatMap((account) => account.slots.map(({ sessionId }) => sessionId));
  const ended = left.filter((id) => !isLive(states.get(id) ?? session.initialState));
  return [...broken, ...ended.map((id) => `${id} keeps its slot`)];
}

const heldBy = (account: AccountSlots | undefined): number => account?.slots.length ?? 0;

/**
 * Checks that at the end there is no pending creation, no parked reaction, and no browser of an ended session or a suspended
 * account.
 */
function everythingSettled(world: World): string[] {
  const states = sessionsOf(world);
  const creating = [...states].flatMap(([id, { status }]) =>
    status === 'creating' ? [`${id} is creating`] : [],
  );
  const browsers = world.fleet.nodes.flatMap(({ browsers }) =>
    [...browsers].flatMap((id) => {
      const state = states.get(id);
      return state !== undefined && isLive(state) ? [] : [`the browser of ${id} runs on`];
    }),
  );
  const parked = [...world.parked.keys()].map((name) => `${name} is parked`);
  const suspended = world.store.log
    .filter(({ category }) => category === 'account')
    .reduce((ids, { type, data }) => {
      const { accountId } = data as { readonly accountId: string };
      if (type === 'AccountSuspended') ids.add(accountId);
      if (type === 'AccountUnsuspended') ids.delete(accountId);
      return ids;
    }, new Set<string>());
  const spared = [...states.values()].flatMap((state) =>
    isLive(state) && suspended.has(state.accountId)
      ? [`${state.sessionId} outlived its account's suspension`]
      : [],
  );
  return [...creating, ...browsers, ...parked, ...spared];
}
