import type { Logger } from 'pino';
import type { Pause } from '../../../infra/platform/clock.ts';
import type { EventStore } from '../../../infra/event-store/client/types.ts';
import type { CommandPorts } from '../../engine/runner.ts';
import { createSubscriptions } from '../../webhook-endpoint/subscriptions.ts';
import type { ProcessManager } from '../engine/process-manager.ts';
import type { Sweep } from '../engine/host.ts';
import { webhookFanOut, type FanOutPorts } from './fan-out.ts';
import { webhookOutcomes } from './outcomes.ts';
import type { ReplaySource } from '../webhook-replay/source.ts';
import {
  defaultReplayPace,
  sweepReplays,
  webhookReplays,
  type ReplayPace,
} from '../webhook-replay/replays.ts';
import { collectWakeUps, requestedDeliveries, type WakeUpPorts } from './scheduling.ts';

export {
  replaySource,
  ReadModelBehind,
  type ReplayReads,
  type ReplaySource,
} from '../webhook-replay/source.ts';

export interface WebhookProcessPorts extends CommandPorts, WakeUpPorts {
  readonly store: EventStore;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly pause: Pause;
  readonly logger: Logger;
  readonly source: ReplaySource;
  /** Number of consecutive failures that disables an endpoint. */
  readonly disableAfter: number;
  readonly pace?: ReplayPace;
  /** Interval of the sweep of waiting replays, in milliseconds. */
  readonly sweepMs: number;
}

/** The fan-out to endpoints, for the host whose process makes the first attempts. */
export const deliveringProcess = (
  ports: WakeUpPorts &
    Pick<FanOutPorts, 'runner' | 'clock' | 'sendFirst' | 'observe'> & { readonly store: EventStore },
): ProcessManager =>
  webhookFanOut({ ...ports, subscriptions: createSubscriptions(ports), wake: collectWakeUps(ports) });

/** Reactions to events about deliveries and endpoints. */
export function webhookProcesses(ports: WebhookProcessPorts): {
  readonly managers: readonly ProcessManager[];
  readonly sweeps: readonly Sweep[];
} {
  const subscriptions = createSubscriptions(ports);
  const sending = { pace: defaultReplayPace, ...ports, subscriptions, wake: collectWakeUps(ports) };
  return {
    managers: [requestedDeliveries(sending), webhookOutcomes(ports), webhookReplays(sending)],
    sweeps: [{ name: 'replays', everyMs: ports.sweepMs, run: (signal) => sweepReplays(sending, signal) }],
  };
}
