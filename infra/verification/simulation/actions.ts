import type { SessionId } from '../../../contracts/ids.ts';
import { systemContext } from '../../../commands/engine/context.ts';
import { at } from './names.ts';
import type { Stage } from './stage.ts';
import { webhookActions, type WebhookActionKind } from './webhook-actions.ts';
import type { SimulatedAccount } from './world.ts';

export const sessionActionKinds = [
  'create',
  'create once',
  'operate',
  'destroy',
  'suspend',
  'unsuspend',
  'report a death',
  'lose a node',
] as const;
/** Events of the environment. */
export const fates = ['crash', 'lose the queue', 'let time pass', 'set the clock'] as const;

/** The next action of a client or of the environment. `pick` selects the account, session, process or time. */
export interface Action {
  readonly kind: (typeof sessionActionKinds)[number] | (typeof fates)[number] | WebhookActionKind;
  readonly pick: number;
}

const passes = [1000, 35_000, 70_000, 100_000];
const jumps = [-3_600_000, -30_000, 30_000, 3_600_000];

/** Includes sessions whose creation has not been answered, since lists show them. */
function anySession({ world }: Stage, pick: number): [SimulatedAccount, SessionId] | undefined {
  const requested = at(
    world.store.log.filter(({ type }) => type === 'SessionRequested'),
    pick,
  );
  if (requested === undefined) return undefined;
  const { accountId, sessionId } = requested.data as Requested;
  const account = world.accounts.find(({ id }) => id === accountId);
  return account && [account, sessionId];
}

interface Requested {
  readonly accountId: string;
  readonly sessionId: SessionId;
}

export const perform: Record<Action['kind'], (stage: Stage, pick: number) => Promise<unknown> | undefined> = {
  ...webhookActions,
  create: ({ world, requests, writer }, pick) => {
    const account = at(world.accounts, pick);
    return account && requests.create(writer, account, world.newSessionId());
  },
  'create once': async ({ world, requests, writer }, pick) => {
    const account = at(world.accounts, pick);
    if (account === undefined) return;
    const reply = await requests.createOnce(writer, account, `key ${pick % 3}`);
    if (reply.kind === 'unknown') await requests.createOnce(writer + 1, account, `key ${pick % 3}`);
  },
  operate: (stage, pick) => {
    const found = anySession(stage, pick);
    return found && stage.requests.operate(stage.writer, ...found);
  },
  destroy: async (stage, pick) => {
    const found = anySession(stage, pick);
    if (found === undefined) return;
    const reply = await stage.requests.destroy(stage.writer, ...found);
    if (reply.kind === 'unknown') await stage.requests.destroy(stage.writer + 1, ...found);
  },
  suspend: ({ world, requests, writer }, pick) => {
    const account = at(world.accounts, pick);
    return (
      account &&
      requests.other(writer, ({ accounts }) =>
        accounts.suspend(account.id, 'unpaid', requests.context(account)),
      )
    );
  },
  unsuspend: ({ world, requests, writer }, pick) => {
    const account = at(world.accounts, pick);
    return (
      account &&
      requests.other(writer, ({ accounts }) => accounts.unsuspend(account.id, requests.context(account)))
    );
  },
  'report a death': (stage, pick) => {
    const found = anySession(stage, pick);
    if (found === undefined) return undefined;
    const [, session] = found;
    const { fleet, clock } = stage.world;
    const node = fleet.nodes.find(({ browsers }) => browsers.delete(session));
    if (node === undefined) return undefined;
    const report = {
      kind: 'session_died',
      report_id: systemContext(session, 'callback:simulated').commandId,
      session_id: session,
      at: clock.now().toISOString(),
    } as const;
    return stage.requests.other(stage.writer, ({ sessions }) => sessions.takeReport(node.id, report));
  },
  crash: async ({ processes }, pick) => at(processes, pick)?.crash(),
  'lose a node': async ({ world }, pick) => world.fleet.lose(pick),
  'lose the queue': async ({ world }) => {
    world.queue.loseAll();
    world.deliveries.loseAll();
  },
  'let time pass': async ({ world }, pick) => world.schedule.skip(at(passes, pick) ?? 0),
  'set the clock': async ({ world }, pick) => world.clock.jump(at(jumps, pick) ?? 0),
};
