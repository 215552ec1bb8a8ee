import type { Call } from './client/call.ts';
import type { List } from './client/list.ts';
import type { RequestTree } from './resources/request.ts';
import type { AccountId, MailId, NodeId, SessionId, WebhookDeliveryId, WebhookId } from './ids.ts';

/**
 * Routes of `npm run service -- operator-console` on loopback, for its pages, in the client's format. Not part of the public API.
 */
export const operatorRows = {
  nodes: 'GET /operator/nodes',
  drain: 'POST /operator/nodes/{id}/drain i',
  undrain: 'POST /operator/nodes/{id}/undrain i',
  readModels: 'GET /operator/read-models',
  rebuild: 'POST /operator/read-models/{name}/rebuild',
  parked: 'GET /operator/parked',
  retry: 'POST /operator/parked/retry',
  reactions: 'GET /operator/reactions',
  retryReactions: 'POST /operator/reactions/retry',
  stuck: 'GET /operator/deliveries',
  requeue: 'POST /operator/deliveries/{id}/requeue i',
  mails: 'GET /operator/mails',
  accounts: 'GET /operator/accounts',
  account: 'GET /operator/accounts/{id}',
  stream: 'GET /operator/streams/{name} c',
  trace: 'GET /operator/traces/{id}',
} as const;

export type OperatorRow = keyof typeof operatorRows;

export interface OperatorNode {
  readonly node_id: NodeId;
  readonly name: string | null;
  readonly driver: string;
  readonly url: string;
  readonly capacity: number;
  readonly draining: boolean;
  readonly live: boolean;
  readonly last_heartbeat_ms_ago: number;
  /** Milliseconds by which its clock is ahead of that of Postgres; null if it did not report it. */
  readonly clock_ahead_ms: number | null;
  /** Sessions that run on it. */
  readonly sessions: readonly SessionId[];
}

/** Outcome of the last rebuild started here. */
export type Rebuilt =
  | { readonly at: string; readonly matches: boolean; readonly rows: number }
  | { readonly at: string; readonly error: string };

export interface OperatorReadModel {
  readonly projection: string;
  readonly rows: number;
  readonly parked: number;
  readonly version: string | null;
  readonly wanted_version: string;
  readonly behind: boolean;
  /** A rebuild in progress, started anywhere. */
  readonly building: { readonly fraction: number } | null;
  readonly rebuilt: Rebuilt | null;
}

export interface OperatorReadModels {
  /** Age of the oldest event not yet projected; 0 if there is none. */
  readonly lag_seconds: number;
  readonly read_models: readonly OperatorReadModel[];
}

export interface OperatorParked {
  readonly projection: string;
  readonly row: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly stream: string;
  readonly attempts: number;
  readonly reason: string;
}

/** A parked reaction: what a process manager failed to do about an event. */
export interface OperatorReaction {
  readonly process: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly stream: string;
  readonly attempts: number;
  readonly reason: string;
  readonly parked_at: string;
}

/** The outcome of the reactions that were parked when the retry was requested. */
export interface RetriedReactions {
  readonly took_effect: number;
  readonly still_parked: number;
  /** Not retried in time, because no process host runs or it is busy. They are retried later automatically. */
  readonly not_tried: number;
}

export interface OperatorDelivery {
  readonly id: WebhookDeliveryId;
  readonly endpoint_id: WebhookId;
  readonly event_type: string;
  readonly attempt_count: number;
}

export interface OperatorStuck {
  readonly open: number;
  readonly overdue: number;
  readonly oldest_due_seconds: number;
  /** Open deliveries, more than a minute late. */
  readonly late: readonly (OperatorDelivery & { readonly next_attempt_at: string })[];
  /** The newest dead letters. */
  readonly dead: readonly (OperatorDelivery & { readonly created_at: string })[];
  readonly failing: readonly {
    readonly id: WebhookId;
    readonly account_id: AccountId;
    readonly url: string;
    readonly consecutive_failures: number;
  }[];
}

export interface OperatorMail {
  readonly id: MailId;
  readonly account_id: AccountId | null;
  readonly template: string;
  readonly status: RequestTree['mails'][number]['status'];
  readonly attempt_count: number;
  readonly next_attempt_at: string | null;
  readonly created_at: string;
}

export interface OperatorAccount {
  readonly id: AccountId;
  readonly tier: string;
  readonly suspended_at: string | null;
  readonly erased_at: string | null;
  readonly created_at: string;
  readonly live_sessions: number;
}

/** A stored event; sealed fields stay sealed. */
export interface OperatorEvent {
  readonly id: string;
  readonly type: string;
  readonly revision: string;
  readonly created: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

export interface OperatorApi {
  nodes(): Call<{ readonly data: readonly OperatorNode[] }>;
  drain(id: string): Call<{ readonly node_id: string }>;
  undrain(id: string): Call<{ readonly node_id: string }>;
  readModels(): Call<OperatorReadModels>;
  /** Starts a rebuild; `readModels` shows its progress and outcome. */
  rebuild(name: string): Call<{ readonly projection: string }>;
  parked(): Call<{ readonly data: readonly OperatorParked[] }>;
  retry(): Call<{ readonly applied: number; readonly still_parked: number }>;
  reactions(): Call<{ readonly data: readonly OperatorReaction[] }>;
  retryReactions(): Call<RetriedReactions>;
  stuck(): Call<OperatorStuck>;
  requeue(id: string): Call<{ readonly delivery_id: string }>;
  mails(): Call<{ readonly data: readonly OperatorMail[] }>;
  accounts(): Call<{ readonly data: readonly OperatorAccount[] }>;
  account(id: string): Call<Readonly<Record<string, unknown>>>;
  /** Newest first. */
  stream(
    name: string,
    asked: { readonly limit: number; readonly cursor?: string | undefined },
  ): List<OperatorEvent>;
  trace(id: string): Call<RequestTree>;
}
