import { webhookReplayEvents, type WebhookReplayEvent } from '../contracts/events/webhook-replay.ts';
import type { WebhookReplayId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { SubscribableEventType } from '../contracts/webhooks/event-types.ts';
import {
  decideBy,
  type CommandOf,
  type CommandsOf,
  type DataOf,
  type Decider,
  type Rules,
} from './kit/decider.ts';

/** The latest replay of the endpoint. */
interface LastReplay extends Readonly<Omit<DataOf<WebhookReplayEvent, 'ReplayRequested'>, 'types' | 'at'>> {
  readonly types: readonly SubscribableEventType[] | null;
  /** Log position up to which deliveries are scheduled; null before the first step. */
  readonly upTo: string | null;
  readonly scheduled: number;
  /** Number of its `ReplayAdvanced` events. */
  readonly steps: number;
  /** Earlier replays, all ended, newest last. */
  readonly earlier: readonly WebhookReplayId[];
}

/** `none`: the endpoint never had a replay. Otherwise the status is the latest replay's. */
export type WebhookReplay =
  | { readonly status: 'none' }
  | ({ readonly status: 'running' | 'completed' | 'abandoned' } & LastReplay);

export type WebhookReplayCommand = CommandsOf<{
  RequestReplay: Omit<LastReplay, 'upTo' | 'scheduled' | 'steps' | 'earlier'>;
  /** A step has ended: every event after `from` and up to `upTo` has its delivery. */
  AdvanceReplay: {
    replayId: WebhookReplayId;
    /** The replay's `upTo` before the step. */
    from: string | null;
    /** Null: no event is left, and the replay is complete. */
    upTo: string | null;
    /** Deliveries of this step. */
    scheduled: number;
  };
  /** The endpoint is deleted or disabled. */
  AbandonReplay: { replayId: WebhookReplayId; reason: 'webhook_deleted' | 'webhook_disabled' };
  /** The owner cancels the replay. */
  CancelReplay: { replayId: WebhookReplayId };
}>;
export type RequestReplay = CommandOf<WebhookReplayCommand, 'RequestReplay'>;
export type AbandonReplay = CommandOf<WebhookReplayCommand, 'AbandonReplay'>;

type Running = { readonly status: 'running' } & LastReplay;

const isRunning = (state: WebhookReplay, replayId: WebhookReplayId): state is Running =>
  state.status === 'running' && state.replayId === replayId;

const idsOf = (state: WebhookReplay): readonly WebhookReplayId[] =>
  state.status === 'none' ? [] : [...state.earlier, state.replayId];

const rules: Rules<WebhookReplay, WebhookReplayCommand, WebhookReplayEvent> = {
  /** Repeating a request does nothing, even after the replay has ended. */
  RequestReplay(state, { type: _, types, ...data }) {
    if (idsOf(state).includes(data.replayId)) return [];
    if (state.status === 'running') {
      const { replayId, webhookId } = state;
      const cancelling = `cancel it with DELETE /v1/webhooks/${webhookId}/replays/${replayId}`;
      const detail = `Replay ${replayId} to this endpoint is still running. Wait until it is over, or ${cancelling}.`;
      throw refuse('conflict', detail, { active_replay_id: replayId });
    }
    return [{ type: 'ReplayRequested', data: { ...data, types: types === null ? null : [...types] } }];
  },
  /** A step counts only if it started at the replay's position, so that a repeated step does nothing. */
  AdvanceReplay(state, { replayId, from, upTo, scheduled, at }) {
    if (!isRunning(state, replayId) || from !== state.upTo) return [];
    const { webhookId } = state;
    const total = state.scheduled + scheduled;
    if (upTo === null) {
      return [{ type: 'ReplayCompleted', data: { replayId, webhookId, scheduled: total, at } }];
    }
    return upTo === from
      ? []
      : [{ type: 'ReplayAdvanced', data: { replayId, webhookId, upTo, scheduled: total, at } }];
  },
  AbandonReplay: (state, { replayId, reason, at }) =>
    isRunning(state, replayId) ? [abandoned(state, reason, at)] : [],
  /** A replay abandoned for another reason need not be cancelled. */
  CancelReplay(state, { replayId, at }) {
    if (isRunning(state, replayId)) return [abandoned(state, 'cancelled', at)];
    if (!idsOf(state).includes(replayId)) throw refuse('not-found');
    if (state.status === 'abandoned' && state.replayId === replayId) return [];
    throw refuse('conflict', 'The replay has ended: there is nothing left to cancel.');
  },
};

const abandoned = (
  { replayId, webhookId, scheduled }: Running,
  reason: AbandonReplay['reason'] | 'cancelled',
  at: string,
): WebhookReplayEvent => ({
  type: 'ReplayAbandoned',
  data: { replayId, webhookId, scheduled, reason, at },
});

/**
 * Replays of past events to one endpoint, one replay at a time.
 * - All replays of an endpoint share one stream, so that of two concurrent requests one is refused.
 * - A replay advances in steps. Each step's end is recorded, and the next step starts there, in any process.
 * - A replay ends completed, or abandoned: cancelled by its owner, or its endpoint was deleted or disabled.
 */
export const webhookReplay: Decider<WebhookReplay, WebhookReplayCommand, WebhookReplayEvent> = {
  category: webhookReplayEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve,
  snapshotEvery: 200,
  stateVersion: 2,
};

/** Maximum number of ended replays recognised when they are requested or cancelled again. */
const keptIds = 100;

function evolve(state: WebhookReplay, { type, data }: WebhookReplayEvent): WebhookReplay {
  if (type === 'ReplayRequested') {
    if (state.status === 'running') return state;
    const { at: _, ...facts } = data;
    const earlier = idsOf(state).slice(-keptIds);
    return { ...facts, status: 'running', upTo: null, scheduled: 0, steps: 0, earlier };
  }
  if (!isRunning(state, data.replayId)) return state;
  switch (type) {
    case 'ReplayAdvanced':
      return { ...state, upTo: data.upTo, scheduled: data.scheduled, steps: state.steps + 1 };
    case 'ReplayCompleted':
      return { ...state, status: 'completed', scheduled: data.scheduled };
    case 'ReplayAbandoned':
      return { ...state, status: 'abandoned' };
  }
}
