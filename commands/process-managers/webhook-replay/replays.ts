import type { Logger } from 'pino';
import { streamOf } from '../../../contracts/events/catalogue.ts';
import { webhookReplayEvents, type WebhookReplayEvent } from '../../../contracts/events/webhook-replay.ts';
import { uuidOf, type WebhookId } from '../../../contracts/ids.ts';
import type { WebhookEndpoint } from '../../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../../domain/webhook-endpoint/webhook-endpoint.ts';
import {
  webhookReplay,
  type AbandonReplay,
  type WebhookReplay,
  type WebhookReplayCommand,
} from '../../../domain/webhook-replay.ts';
import { positionText } from '../../../infra/event-store/client/position.ts';
import type { EventStore, Position, RecordedEvent } from '../../../infra/event-store/client/types.ts';
import { now, ownedContext, reactionContext, stepContext } from '../../engine/context.ts';
import { inBatches } from '../../engine/in-batches.ts';
import { hasKnownType } from '../../engine/recording.ts';
import type { Subscriptions } from '../../webhook-endpoint/subscriptions.ts';
import type { ProcessManager } from '../engine/process-manager.ts';
import type { LoggedEvent, ReplaySource } from './source.ts';
import {
  announcementOf,
  scheduleDeliveries,
  type Dispatch,
  type SchedulingPorts,
} from '../webhook-delivery/scheduling.ts';

export interface ReplayManagerPorts extends SchedulingPorts {
  readonly store: EventStore;
  readonly subscriptions: Subscriptions;
  readonly source: ReplaySource;
  readonly pace: ReplayPace;
}

export interface ReplayPace {
  /** Maximum events per step. */
  readonly stepEvents: number;
  /** Maximum number of open deliveries of an endpoint's replays; at it the replay waits, to keep the queue short. */
  readonly openDeliveries: number;
}

export const defaultReplayPace: ReplayPace = { stepEvents: 100, openDeliveries: 500 };

/** The event that triggers a step. */
type StepBefore = RecordedEvent & Extract<WebhookReplayEvent, { type: 'ReplayRequested' | 'ReplayAdvanced' }>;

/** `upTo` is its progress. */
type Begun = Exclude<WebhookReplay, { status: 'none' }>;

const name = 'webhook-replays';

const readsAtOnce = 16;

/** Continues replays: each step reacts to the event that the previous one recorded. */
export const webhookReplays = (ports: ReplayManagerPorts): ProcessManager => ({
  name,
  types: Object.keys(webhookReplayEvents.types),
  handle: async (event) => {
    if (leadsOn(event)) await takeStep(ports, event);
  },
});

const leadsOn = (event: RecordedEvent): event is StepBefore =>
  hasKnownType<WebhookReplayEvent>(webhookReplayEvents, event) &&
  (event.type === 'ReplayRequested' || event.type === 'ReplayAdvanced');

const replaysAtOnce = 4;

/**
 * Takes the next step of replays that waited because of too many open deliveries, if that is over. None begins after the signal is
 * aborted.
 */
export async function sweepReplays(
  ports: ReplayManagerPorts & { readonly logger: Logger },
  signal: AbortSignal,
): Promise<void> {
  const { source, store, logger } = ports;
  const continueReplay = async (webhookId: WebhookId) => {
    const stream = streamOf(webhookReplayEvents, uuidOf(webhookId));
    try {
      for await (const last of store.readStream(stream, { direction: 'backwards', limit: 1 })) {
        if (leadsOn(last)) await takeStep(ports, last);
      }
    } catch (error) {
      logger.warn(
        { err: error, webhook: webhookId },
        'The next step of a replay failed; it is retried at the next sweep.',
      );
    }
  };
  await inBatches(await source.running(), replaysAtOnce, continueReplay, signal);
}

/**
 * Schedules the next deliveries, and records the progress, whose event triggers the next step. After a crash anywhere the step is
 * repeated with the same ids. Does nothing if the step is done, and leaves it to the sweep at the limit of open deliveries.
 */
async function takeStep(ports: ReplayManagerPorts, before: StepBefore): Promise<void> {
  const { runner, source, pace } = ports;
  const from = before.type === 'ReplayAdvanced' ? before.data.upTo : null;
  const { replayId, webhookId } = before.data;
  const { state: replay } = await runner.load(webhookReplay, uuidOf(webhookId));
  if (replay.status !== 'running' || replay.replayId !== replayId || replay.upTo !== from) return;
  const { state: endpoint } = await runner.load(webhookEndpoint, uuidOf(webhookId));
  const reason = abandonedFor[endpoint.status];
  if (reason !== undefined) return record(ports, before, replay, { type: 'AbandonReplay', reason });
  // Deliveries of earlier steps precede this event, and so are counted.
  await source.reach(replay.accountId, before.position);
  const limit = pace.openDeliveries;
  // Those of earlier replays too: one that is cancelled and requested again and again must not fill the queue.
  if ((await source.openDeliveries([replayId, ...replay.earlier], limit)) >= limit) return;
  const events = await nextEvents(ports, before, replay);
  await schedule(ports, before, replay, events);
  const last = events.length === pace.stepEvents ? events.at(-1) : undefined;
  const upTo = last ? positionText(last.position) : null;
  await record(ports, before, replay, { type: 'AdvanceReplay', from, upTo, scheduled: events.length });
}

const abandonedFor: Record<WebhookEndpoint['status'], AbandonReplay['reason'] | undefined> = {
  none: 'webhook_deleted',
  active: undefined,
  disabled: 'webhook_disabled',
  deleted: 'webhook_deleted',
};

type Recorded = WebhookReplayCommand extends infer Each
  ? Each extends { type: 'AdvanceReplay' | 'AbandonReplay' }
    ? Omit<Each, 'replayId' | 'at'>
    : never
  : never;

async function record(
  { runner, clock }: ReplayManagerPorts,
  before: StepBefore,
  { replayId, webhookId, accountId }: Begun,
  outcome: Recorded,
): Promise<void> {
  const cause = ownedContext(stepContext(reactionContext(name, before), outcome.type), accountId);
  const command = { ...outcome, replayId, at: now({ clock }) };
  await runner.run(webhookReplay, uuidOf(webhookId), command, cause);
}

/** Only events before the request; later ones are sent anyway. */
async function nextEvents(
  { store, subscriptions, source, pace }: ReplayManagerPorts,
  before: StepBefore,
  { webhookId, accountId, since, until, types, upTo, steps }: Begun,
): Promise<readonly LoggedEvent[]> {
  const requested =
    steps === 0 ? before : await eventAt(store, before.stream, before.revision - BigInt(steps));
  return source.eventsOf(accountId, {
    since,
    until,
    types: types ?? (await subscriptions.of(webhookId, requested.position)),
    after: upTo === null ? undefined : ofPlace(upTo),
    before: requested.position,
    limit: pace.stepEvents,
  });
}

async function eventAt(store: EventStore, stream: string, revision: bigint): Promise<RecordedEvent> {
  for await (const event of store.readStream(stream, { from: revision, limit: 1 })) return event;
  throw new Error(`${stream} has no revision ${revision}`);
}

/** The envelopes are made from the log, byte for byte as they were first sent. */
async function schedule(
  ports: ReplayManagerPorts,
  before: StepBefore,
  { replayId, webhookId, accountId }: Begun,
  events: readonly LoggedEvent[],
): Promise<void> {
  const dispatches = await inBatches(
    events,
    readsAtOnce,
    async ({ id, stream, revision }): Promise<Dispatch> => {
      const envelope = announcementOf(await eventAt(ports.store, stream, revision))?.envelope;
      if (envelope?.id === id) return { envelope, webhookId };
      throw new Error(`${stream} has no announced event ${id} at revision ${revision}`);
    },
  );
  const trigger = { kind: 'replay', of: `replay ${replayId}`, replayId } as const;
  await scheduleDeliveries(ports, accountId, dispatches, trigger, reactionContext(name, before));
}

/** The position that a replay's events name by its text. */
function ofPlace(place: string): Position {
  const [commit = '', prepare = ''] = place.split('/');
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}
