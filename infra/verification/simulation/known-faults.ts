import { v5 as uuidv5 } from 'uuid';
import type { DomainEvent } from '../../../contracts/events/catalogue.ts';
import { accountSlots, type AccountSlotsCommand } from '../../../domain/account-slots.ts';
import type { SessionCommand } from '../../../domain/session/session.ts';
import { session } from '../../../domain/session/session.ts';
import type { ProcessManager } from '../../../commands/process-managers/index.ts';
import type { Runner, RunOutcome } from '../../../commands/engine/runner.ts';
import type { Variant } from './world.ts';

/** The runner with one kind of command handled differently. */
export function instead(runner: Runner, type: string, stand: Stand): Runner {
  const run = async (...call: Parameters<Run>): Promise<RunOutcome<unknown, DomainEvent>> => {
    const [, , command] = call;
    const isMeant =
      typeof command === 'object' && command !== null && 'type' in command && command.type === type;
    return isMeant ? stand(runner.run, call) : runner.run(...call);
  };
  // The wrapped runner returns what the real one does; TypeScript cannot follow the type through `call`.
  return { load: runner.load, run: run as Run };
}

/** Mistakes that one could make, wired into the real parts. A simulation that does not notice them proves nothing. */
export const knownFaults: Readonly<Record<string, Variant>> = {
  'event ids that change when an append is sent again': { store: withChangingIds },
  'a dispatch without a claim': { runner: (runner) => instead(runner, 'ClaimOperation', unclaimed) },
  'a release that frees another slot when its own is free': {
    runner: (runner) => instead(runner, 'ReleaseSlot', releaseAnyway),
  },
  'an event whose cause is nowhere': {
    runner: (runner) => instead(runner, 'ReleaseSlot', withoutCause),
  },
  'a checkpoint ahead of what took effect': { manager: hurried },
};

/** How slots were released before a late request could be prevented: see `SessionWithdrawn`. */
export const withoutWithdrawal: Variant = {
  runner: (runner) => instead(runner, 'WithdrawSession', doNothing),
};

type Store = Parameters<NonNullable<Variant['store']>>[0];
type Run = Runner['run'];
export type Stand = (run: Run, call: Parameters<Run>) => Promise<RunOutcome<unknown, DomainEvent>>;

/** A retried append has new ids, and so looks like another caller's. */
function withChangingIds(store: Store): void {
  const commit = store.commit.bind(store);
  let sent = 0;
  store.commit = (stream, expected, events) => {
    sent += 1;
    const salt = String(sent);
    return commit(
      stream,
      expected,
      events.map((event) => ({ ...event, id: uuidv5(salt, event.id) })),
    );
  };
}

const withoutCause: Stand = (run, [decider, uuid, command, context]) =>
  run(decider, uuid, command, { ...context, causationId: uuidv5('nowhere', context.commandId) });

const loaded = async (run: Run, uuid: string, context: Parameters<Run>[3]) => {
  const command = { type: 'EnforceDurationCap', tier: 'free', at: '2000-01-01T00:00:00.000Z' } as const;
  return run(session, uuid, command, context);
};

const unclaimed: Stand = async (run, [, uuid, command, context]) => {
  const { state, ...rest } = await loaded(run, uuid, context);
  const { dispatchId, operation, at } = command as Extract<SessionCommand, { type: 'ClaimOperation' }>;
  const claim = { operation, dispatchId, epoch: 1, at };
  return { ...rest, state: state.status === 'ready' ? { ...state, status: 'busy', claim } : state };
};

const doNothing: Stand = async (run, [, uuid, , context]) => loaded(run, uuid, context);

const releaseAnyway: Stand = (run, [, uuid, command, context]) => {
  const released = command as Extract<AccountSlotsCommand, { type: 'ReleaseSlot' }>;
  const careless: typeof accountSlots = {
    ...accountSlots,
    decide: (_command, { slots }) => {
      const { accountId, at } = released;
      const own = slots.find(({ sessionId }) => sessionId === released.sessionId) ?? slots[0];
      if (own === undefined) return [];
      return [{ type: 'SlotReleased', data: { accountId, sessionId: own.sessionId, at } }];
    },
  };
  return run(careless, uuid, released, context);
};

/** Reports a reaction as done when it has only begun. */
function hurried(manager: ProcessManager): ProcessManager {
  return {
    ...manager,
    handle: async (event) => {
      manager.handle(event).catch(() => undefined);
    },
  };
}
