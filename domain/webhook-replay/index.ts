import { webhookReplayEvents, type WebhookReplayEvent } from '../../contracts/events/webhook-replay.ts';
import type { AccountId, WebhookId, WebhookReplayId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import type { Decider } from '../kit/decider.ts';

/** The last replay that was asked for. */
interface LastReplay {
  readonly replayId: WebhookReplayId;
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
  readonly since: string;
  readonly until: string;
  readonly types: readonly SubscribableEventType[] | null;
  /** The place in the log up to which deliveries are scheduled; null before the first step. */
  readonly upTo: string | null;
  readonly scheduled: number;
  /** How many events after its request the stream holds of it while it runs. */
  readonly steps: number;
  /** Those before it, which are over, the newest last. */
  readonly earlier: readonly WebhookReplayId[];
}

/** `none` is a stream without events; else the status is the last replay's. */
export type WebhookReplay =
  { readonly status: 'none' } | ({ readonly status: 'running' | 'completed' | 'abandoned' } & LastReplay);

export type WebhookReplayCommand = RequestReplay | AdvanceReplay | AbandonReplay | CancelReplay;

export interface RequestReplay {
  readonly type: 'RequestReplay';
  readonly replayId: WebhookReplayId;
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
  readonly since: string;
  readonly until: string;
  readonly types: readonly SubscribableEventType[] | null;
  readonly at: string;
}

/** A step is done: everything after `from` and up to `upTo` has its delivery. */
export interface AdvanceReplay {
  readonly type: 'AdvanceReplay';
  readonly replayId: WebhookReplayId;
  /** Where the step began: the replay's `upTo` before it. */
  readonly from: string | null;
  /** Null when nothing was left: the replay is complete. */
  readonly upTo: string | null;
  /** Deliveries of this step. */
  readonly scheduled: number;
  readonly at: string;
}

/** The endpoint is not there any more. */
export interface AbandonReplay {
  readonly type: 'AbandonReplay';
  readonly replayId: WebhookReplayId;
  readonly reason: 'webhook_deleted' | 'webhook_disabled';
  readonly at: string;
}

/** Its owner wants it to end. */
export interface CancelReplay {
  readonly type: 'CancelReplay';
  readonly replayId: WebhookReplayId;
  readonly at: string;
}

/**
 * Ranges of past events on their way to one endpoint again, one after the other: they share the endpoint's stream, so that
 * of two requests at the same moment one is refused. Each step's end is an event, which the next one starts from.
 */
export const webhookReplay: Decider<WebhookReplay, WebhookReplayCommand, WebhookReplayEvent> = {
  category: webhookReplayEvents,
  initialState: { status: 'none' },
  decide: (command, state) => {
    switch (command.type) {
      case 'RequestReplay':
        return request(state, command);
      case 'AdvanceReplay':
        return advance(state, command);
      case 'AbandonReplay':
        return isRunning(state, command.replayId) ? [abandoned(state, command)] : [];
      case 'CancelReplay':
        return cancel(state, command);
    }
  },
  evolve,
  snapshotEvery: 200,
  stateVersion: 2,
};

type Decision = readonly WebhookReplayEvent[];
type Running = { readonly status: 'running' } & LastReplay;

const isRunning = (state: WebhookReplay, replayId: WebhookReplayId): state is Running =>
  state.status === 'running' && state.replayId === replayId;

const idsOf = (state: WebhookReplay): readonly WebhookReplayId[] =>
  state.status === 'none' ? [] : [...state.earlier, state.replayId];

/** The same one again is nothing new, also when it is over. */
function request(state: WebhookReplay, { type: _, types, ...data }: RequestReplay): Decision {
  if (idsOf(state).includes(data.replayId)) return [];
  if (state.status === 'running') {
    const { replayId, webhookId } = state;
    throw refuse(
      'conflict',
      `Replay ${replayId} to this endpoint is still running. Wait until it is over, or cancel it with ` +
        `DELETE /v1/webhooks/${webhookId}/replays/${replayId}.`,
      { active_replay_id: replayId },
    );
  }
  return [{ type: 'ReplayRequested', data: { ...data, types: types === null ? null : [...types] } }];
}

/** Only a step that began where the replay stands moves it, and only on: the same one again is nothing new. */
function advance(state: WebhookReplay, { replayId, from, upTo, scheduled, at }: AdvanceReplay): Decision {
  if (!isRunning(state, replayId) || from !== state.upTo) return [];
  const { webhookId } = state;
  const total = state.scheduled + scheduled;
  if (upTo === null) {
    return [{ type: 'ReplayCompleted', data: { replayId, webhookId, scheduled: total, at } }];
  }
  return upTo === from
    ? []
    : [{ type: 'ReplayAdvanced', data: { replayId, webhookId, upTo, scheduled: total, at } }];
}

/** One that was abandoned already, whyever, is as its owner wants it. */
function cancel(state: WebhookReplay, { replayId, at }: CancelReplay): Decision {
  if (isRunning(state, replayId)) return [abandoned(state, { reason: 'cancelled', at })];
  if (!idsOf(state).includes(replayId)) throw refuse('not-found');
  if (state.status === 'abandoned' && state.replayId === replayId) return [];
  throw refuse('conflict', 'The replay is over: there is nothing left to cancel.');
}

const abandoned = (
  { replayId, webhookId, scheduled }: Running,
  { reason, at }: { readonly reason: AbandonReplay['reason'] | 'cancelled'; readonly at: string },
): WebhookReplayEvent => ({
  type: 'ReplayAbandoned',
  data: { replayId, webhookId, scheduled, reason, at },
});

/** Of more than these nobody asks again. */
const keptIds = 100;

/** An event that does not fit the status (none is ever decided) leaves the state as it was. */
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
