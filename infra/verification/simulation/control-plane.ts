import { memoryHeartbeats, unreachable } from '../../../commands/agent-session/testing.ts';
import { createRunner, type Runner } from '../../../commands/engine/runner.ts';
import type { ReceiptPorts } from '../../../commands/receipt/index.ts';
import { receiptSeals } from '../../../commands/receipt/testing.ts';
import { createWebhookCommands, type WebhookCommands } from '../../../commands/webhook-endpoint/index.ts';
import type { DomainEvent } from '../../../contracts/events/catalogue.ts';
import type { Decider } from '../../../domain/kit/decider.ts';
import { loadConfig, type Config } from '../../config/index.ts';
import { onlyPepper } from '../../keys/index.ts';
import { composeCommands, type Commands } from '../../main/composition/commands.ts';
import { vault } from './fake-vault.ts';
import type { Life } from './life.ts';
import { quiet, type World } from './world.ts';

/** The command handlers of one process, with empty caches. */
export interface ControlPlane extends Commands {
  readonly runner: Runner;
  readonly webhooks: WebhookCommands;
  readonly receipts: ReceiptPorts;
}

const config: Config = { ...loadConfig({}), FREE_SESSION_LIMIT: 4 * 60_000 };
const peppers = onlyPepper('a pepper');
const nothing = () => Promise.resolve([]);

/** Short, so that runs reach the cap, and the ends of grace periods. */
const webhookLimits = { perAccount: 2, secretGraceMs: 10 * 60_000, secretReminderMs: 5 * 3_600_000 };

export function controlPlane(world: World, life: Life): ControlPlane {
  const { clock, schedule, variant } = world;
  const store = world.store.connect(life);
  const real = createRunner({ store, logger: quiet, cacheEntries: 50, now: () => schedule.now });
  const runner = (variant.runner ?? ((same) => same))(snapshottingOften(real));
  return {
    runner,
    ...composeCommands({
      ...{ config, clock, runner, vault, peppers, logger: quiet },
      fleet: { ...world.fleet.connect(life), ...unreachable },
      heartbeats: memoryHeartbeats(clock),
      probe: () => Promise.resolve(null),
      payments: undefined,
      erased: { seatsOf: nothing, profilesOf: nothing, agentSessionsOf: nothing },
    }),
    webhooks: createWebhookCommands({
      runner,
      clock,
      vault,
      newSecret: () => `whsec_${world.newUuid()}`,
      target: { resolve: async (url) => ({ url: new URL(url), addresses: ['203.0.113.1'] }) },
      limits: webhookLimits,
      forecast: () => Promise.resolve({ matching: 0, firstAt: null, lastAt: null }),
    }),
    receipts: {
      ...{ runner, clock, retentionMs: 24 * 3_600_000, beginsWithinMs: config.SLOT_LEASE },
      ...receiptSeals,
    },
  };
}

/** Runs are short, so snapshots are taken every few events. */
function snapshottingOften(runner: Runner): Runner {
  const often = new Map<unknown, unknown>();
  const hasty = <State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
  ): Decider<State, Command, Event> => {
    if (decider.snapshotEvery === undefined) return decider;
    const known = often.get(decider) as Decider<State, Command, Event> | undefined;
    if (known !== undefined) return known;
    const made = { ...decider, snapshotEvery: 3 };
    often.set(decider, made);
    return made;
  };
  return {
    run: (decider, ...call) => runner.run(hasty(decider), ...call),
    load: (decider, ...call) => runner.load(hasty(decider), ...call),
  };
}
