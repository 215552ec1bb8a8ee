import { webhookDelivery, type RecordAttempt } from '../../../domain/webhook-delivery/webhook-delivery.ts';
import type { ExistingWebhook } from '../../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint, type CountOutcomes } from '../../../domain/webhook-endpoint/webhook-endpoint.ts';
import { webhookReplay, type RequestReplay } from '../../../domain/webhook-replay.ts';
import { stepContext } from '../../../commands/engine/context.ts';
import type { ProcessManager } from '../../../commands/process-managers/index.ts';
import type { Runner } from '../../../commands/engine/runner.ts';
import { instead, type Stand } from './known-faults.ts';
import type { FakeSender, Variant } from './world.ts';

/** Planted mistake: if two workers made the same attempt, the second records it as the next one. */
const recordTwice: Stand = (run, [, uuid, command, context]) => {
  const careless: typeof webhookDelivery = {
    ...webhookDelivery,
    decide: (each, state) =>
      webhookDelivery.decide(
        each.type === 'RecordAttempt' && 'attempts' in state
          ? { ...each, attempt: state.attempts + 1 }
          : each,
        state,
      ),
  };
  return run(careless, uuid, command as RecordAttempt, context);
};

/** Ignores what was counted, under ids of the time: a runner recognises the repetition of a command by its ids. */
const countAgain: Stand = (run, [, uuid, command, context]) => {
  const count = command as CountOutcomes;
  const careless: typeof webhookEndpoint = {
    ...webhookEndpoint,
    decide: (each, state) => webhookEndpoint.decide(each, state.status === 'none' ? state : forgetful(state)),
  };
  return run(careless, uuid, count, stepContext(context, count.at));
};

/** Knows how many deliveries failed, not which. */
const forgetful = (state: ExistingWebhook): ExistingWebhook => ({
  ...state,
  failures: state.failures.map(() => '0'),
  clearedTo: '0',
});

/** Starts another one even while one is under way. */
const replayBeside: Stand = (run, [, uuid, command, context]) => {
  const careless: typeof webhookReplay = {
    ...webhookReplay,
    decide: (each, state) =>
      webhookReplay.decide(each, state.status === 'running' ? { ...state, status: 'completed' } : state),
  };
  return run(careless, uuid, command as RequestReplay, context);
};

/** Counts a broken connection as a success. */
const credulous = ({ send }: FakeSender): FakeSender => ({
  send: async (message) => {
    const { result, timings } = await send(message);
    const isCut = result.outcome === 'failed' && result.error === 'connection_closed';
    return { result: isCut ? { outcome: 'succeeded', responseStatus: 200 } : result, timings };
  },
});

/** Signs with every secret that was ever valid for the address. */
function nostalgic({ send }: FakeSender): FakeSender {
  const seen = new Map<string, readonly string[]>();
  return {
    send: (message) => {
      const secrets = [...new Set([...message.secrets, ...(seen.get(message.url) ?? [])])];
      seen.set(message.url, secrets);
      return send({ ...message, secrets });
    },
  };
}

/** Continues with an endpoint as it was read before a change. */
const deaf = (manager: ProcessManager): ProcessManager => ({
  ...manager,
  handle: async (event) => {
    if (event.type !== 'WebhookChanged') await manager.handle(event);
  },
});

/** Counts every loaded delivery as due. */
function impatient(runner: Runner): Runner {
  const load = async (...call: Parameters<Runner['load']>) => {
    const loaded = await runner.load(...call);
    const { state } = loaded;
    const isWaiting = typeof state === 'object' && state !== null && 'dueAt' in state;
    return isWaiting ? { ...loaded, state: { ...state, dueAt: '2000-01-01T00:00:00.000Z' } } : loaded;
  };
  // The return type is that of the real one; TypeScript cannot follow it through `call`.
  return { run: runner.run, load: load as Runner['load'] };
}

/** Mistakes that one could make with webhooks, each wired into the real parts. */
export const webhookFaults: Readonly<Record<string, Variant>> = {
  'wake-ups that nobody makes again once they are lost': { withoutSweep: 'deliveries' },
  'a connection that was cut taken for a yes': { sender: credulous },
  'a secret that signs on when its grace is over': { sender: nostalgic },
  'an attempt recorded for each worker that made it': {
    runner: (runner) => instead(runner, 'RecordAttempt', recordTwice),
  },
  'an attempt before its time': { runner: impatient },
  'a failure counted at every redelivery': {
    runner: (runner) => instead(runner, 'CountOutcomes', countAgain),
  },
  'a replay begun beside another': { runner: (runner) => instead(runner, 'RequestReplay', replayBeside) },
  'a change of subscriptions that was not observed': { manager: deaf },
};
