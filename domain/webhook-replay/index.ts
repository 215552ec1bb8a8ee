import { webhookReplayEvents, type WebhookReplayEvent } from '../../contracts/events/webhook-replay.ts';
import type { AccountId, WebhookId, WebhookReplayId } from '../../contracts/ids.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import type { Decider } from '../decider.ts';

interface ReplayFacts {
  readonly replayId: WebhookReplayId;
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
  readonly since: string;
  readonly until: string;
  readonly types: readonly SubscribableEventType[] | null;
  /** The place in the log up to which deliveries are scheduled; null before the first step. */
  readonly upTo: string | null;
  readonly scheduled: number;
}

/** `none` is a stream without events. */
export type WebhookReplay =
  { readonly status: 'none' } | ({ readonly status: 'running' | 'completed' | 'abandoned' } & ReplayFacts);

export type WebhookReplayCommand = RequestReplay | AdvanceReplay | AbandonReplay;

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
  /** Where the step began: the replay's `upTo` before it. */
  readonly from: string | null;
  /** Null when nothing was left: the replay is complete. */
  readonly upTo: string | null;
  /** Deliveries of this step. */
  readonly scheduled: number;
  readonly at: string;
}

export interface AbandonReplay {
  readonly type: 'AbandonReplay';
  readonly reason: 'webhook_deleted' | 'webhook_disabled';
  readonly at: string;
}

/** A range of past events on its way to one endpoint again. Each step's end is an event, which the next one starts from. */
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
        return abandon(state, command);
    }
  },
  evolve,
  snapshotEvery: 200,
};

type Decision = readonly WebhookReplayEvent[];

function request(state: WebhookReplay, { type: _, types, ...data }: RequestReplay): Decision {
  if (state.status !== 'none') return [];
  return [{ type: 'ReplayRequested', data: { ...data, types: types === null ? null : [...types] } }];
}

/** Only a step that began where the replay stands moves it, and only on: the same one again is nothing new. */
function advance(state: WebhookReplay, { from, upTo, scheduled, at }: AdvanceReplay): Decision {
  if (state.status !== 'running' || from !== state.upTo) return [];
  const { replayId, webhookId } = state;
  const total = state.scheduled + scheduled;
  if (upTo === null) {
    return [{ type: 'ReplayCompleted', data: { replayId, webhookId, scheduled: total, at } }];
  }
  return upTo === from
    ? []
    : [{ type: 'ReplayAdvanced', data: { replayId, webhookId, upTo, scheduled: total, at } }];
}

function abandon(state: WebhookReplay, { reason, at }: AbandonReplay): Decision {
  if (state.status !== 'running') return [];
  const { replayId, webhookId, scheduled } = state;
  return [{ type: 'ReplayAbandoned', data: { replayId, webhookId, scheduled, reason, at } }];
}

/** An event that does not fit the status (none is ever decided) leaves the state as it was. */
function evolve(state: WebhookReplay, { type, data }: WebhookReplayEvent): WebhookReplay {
  if (state.status === 'none') {
    if (type !== 'ReplayRequested') return state;
    const { at: _, ...facts } = data;
    return { ...facts, status: 'running', upTo: null, scheduled: 0 };
  }
  if (state.status !== 'running') return state;
  switch (type) {
    case 'ReplayRequested':
      return state;
    case 'ReplayAdvanced':
      return { ...state, upTo: data.upTo, scheduled: data.scheduled };
    case 'ReplayCompleted':
      return { ...state, status: 'completed', scheduled: data.scheduled };
    case 'ReplayAbandoned':
      return { ...state, status: 'abandoned' };
  }
}
