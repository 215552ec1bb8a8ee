import { defaultWebhookLimits } from '../../commands/webhook-endpoint/index.ts';
import type { AllowedRange } from '../../infra/outbound/address-policy.ts';
import { createOutboundGuard } from '../../infra/outbound/guard.ts';
import type { Lookup } from '../../infra/outbound/lookup.ts';
import type { Postgres } from '../../infra/postgres/index.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { createWebhookTarget } from '../../infra/webhooks/target.ts';
import { countAccountEvents } from '../../projections/queries/account-event.ts';
import type { WriteApiOptions } from '../index.ts';

/** What the world outside comes to in a test. */
export interface OutboundOptions {
  /** Ranges that are not public and may be opened all the same. */
  readonly allow?: readonly AllowedRange[];
  /** Of the hosts of webhooks; by default every name has the same public address. */
  readonly lookup?: Lookup;
  /** What trying a proxy comes to; by default everything comes through. */
  readonly probe?: WriteApiOptions['proxies']['probe'];
  /** What testing an own model-provider key comes to; by default its provider accepts it. */
  readonly tryKey?: WriteApiOptions['settings']['tryKey'];
  /** Of cards; by default none, and nothing can be paid. */
  readonly processor?: WriteApiOptions['cards']['processor'];
}

const publicly: Lookup = () => Promise.resolve(['93.184.215.14']);

export const outboundOf = (
  {
    lookup = publicly,
    allow = [],
    probe = () => Promise.resolve(null),
    tryKey = () => Promise.resolve(null),
    processor,
  }: OutboundOptions,
  pool: Postgres['pool'],
  vault: Vault,
): Pick<
  WriteApiOptions,
  'webhooks' | 'proxies' | 'settings' | 'teams' | 'receipts' | 'addresses' | 'cards'
> => ({
  webhooks: {
    target: createWebhookTarget({ lookup }),
    limits: defaultWebhookLimits,
    vault,
    forecast: countAccountEvents.bind(null, pool),
  },
  proxies: { vault, probe },
  teams: { vault, inviteTtlMs: 7 * 24 * 3_600_000 },
  receipts: { vault, retentionMs: 24 * 3_600_000 },
  settings: { vault, tryKey, reminderMs: 60 * 24 * 3_600_000, defaultCapCents: 2000 },
  cards: { processor },
  addresses: createOutboundGuard({ allow }),
});
