import type { AccountId } from '../../contracts/ids.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { WebhookTarget } from '../../infra/webhooks/target.ts';
import type { Runner } from '../engine/runner.ts';

export interface WebhookLimits {
  /** Endpoints an account may have. */
  readonly perAccount: number;
  /** How long a rotated secret goes on signing, ms. */
  readonly secretGraceMs: number;
  /** The age of a secret at which its owner is reminded to rotate it, ms. */
  readonly secretReminderMs: number;
}

export const defaultWebhookLimits: WebhookLimits = {
  perAccount: 20,
  secretGraceMs: 24 * 3_600_000,
  secretReminderMs: 60 * 24 * 3_600_000,
};

/** Events at or after `since` and before `until`, ISO 8601. */
export interface EventRange {
  readonly since: string;
  readonly until: string;
  readonly types: readonly SubscribableEventType[];
}

/** How many events a range holds, and when the first and the last of them happened. */
export interface ForecastCount {
  readonly matching: number;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
}

/** What the webhook handlers work with. */
export interface WebhookPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  readonly vault: Pick<Vault, 'seal'>;
  readonly newSecret: () => string;
  readonly target: WebhookTarget;
  readonly limits: WebhookLimits;
  /** Counts an account's events as far as its read model is; it decides nothing. */
  readonly forecast: (accountId: AccountId, range: EventRange) => Promise<ForecastCount>;
}
