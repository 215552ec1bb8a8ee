import { Type, Timestamp, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { tiers } from '../tiers.ts';
import { category, type EventOf } from './catalogue.ts';

const accountId = idSchema('account');
const auditTarget = (id: string) => ({ type: 'account', id });

/** `account-<uuid>`: tier, suspension and how many keys the account holds. */
export const accountEvents = category(
  'account',
  {
    AccountCreated: closed({
      accountId,
      /** Sealed with the account's data key: erasing the key erases the address. */
      sealedEmail: Type.String(),
      tier: oneOf(tiers),
      at: Timestamp,
    }),
    TierChanged: closed({ accountId, from: oneOf(tiers), to: oneOf(tiers), at: Timestamp }),
    /** Raises (never lowers) the tier's concurrent sessions for this account; null takes the override back. */
    ConcurrencyOverridden: closed({
      accountId,
      limit: nullable(Type.Integer({ minimum: 1 })),
      at: Timestamp,
    }),
    AccountSuspended: closed({ accountId, reason: Type.String(), at: Timestamp }),
    AccountUnsuspended: closed({ accountId, at: Timestamp }),
    /** A key's place under the cap is taken before the key exists, and given back when it ends. */
    ApiKeyAdmitted: closed({ accountId, apiKeyId: idSchema('apiKey'), at: Timestamp }),
    ApiKeyDismissed: closed({ accountId, apiKeyId: idSchema('apiKey'), at: Timestamp }),
  },
  {
    audit: {
      AccountCreated: (data) => ({
        action: 'account.created',
        target: auditTarget(data.accountId),
        payload: { tier: data.tier },
      }),
      TierChanged: (data) => ({
        action: 'account.tier_changed',
        target: auditTarget(data.accountId),
        payload: { from: data.from, to: data.to },
      }),
      ConcurrencyOverridden: (data) => ({
        action: 'account.concurrency_overridden',
        target: auditTarget(data.accountId),
        payload: { limit: data.limit },
      }),
      AccountSuspended: (data) => ({
        action: 'account.suspended',
        target: auditTarget(data.accountId),
        payload: { reason: data.reason },
      }),
      AccountUnsuspended: (data) => ({
        action: 'account.unsuspended',
        target: auditTarget(data.accountId),
        payload: {},
      }),
    },
  },
);
export type AccountEvent = EventOf<typeof accountEvents>;

/** `email-<hash>`: the address is taken. The hash is keyed, so the stream's name does not give the address away. */
export const emailEvents = category('email', {
  EmailReserved: closed({ accountId, at: Timestamp }),
});
export type EmailEvent = EventOf<typeof emailEvents>;
