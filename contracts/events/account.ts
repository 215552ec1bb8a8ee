import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { tiers } from '../tiers.ts';
import { category, entryOn, timersOn, type EventOf } from './catalogue.ts';

const of = { accountId: idSchema('account'), at: Timestamp };
const entry = entryOn('account');
/**
 * Of the card: the number of recorded changes of the subscription that this follows from. Absent for an order, and in events of
 * earlier releases.
 */
const basedOn = Type.Optional(Type.Integer({ minimum: 0 }));

/** The source of a tier: the account's card subscription, at most one, or one of its orders. */
export const EntitlementSource = Type.Union([Type.Literal('card'), idSchema('order')]);
export type EntitlementSource = Static<typeof EntitlementSource>;

/** `account-<uuid>`: tier, suspension, accepted terms, and which API keys have reserved quota. */
export const accountEvents = category(
  'account',
  {
    AccountCreated: closed({
      ...of,
      /** Sealed with the account's data key: destroying the key erases the address. */
      sealedEmail: Type.String(),
      tier: oneOf(tiers),
      /** For an account from a sign-up: the data of the login that must follow, so that a crash cannot lose it. */
      sealedPasswordHash: Type.Optional(Type.String()),
    }),
    /** Revisions are named by the operator. */
    TermsAccepted: closed({ ...of, revision: Type.String() }),
    TierChanged: closed({
      ...of,
      from: oneOf(tiers),
      to: oneOf(tiers),
      /** Absent: by payments, and in events of earlier releases also by staff. */
      byStaff: Type.Optional(Type.Literal(true)),
      /** Staff took a tier back that would have remained when payments end: what remains then. */
      unpaidTier: Type.Optional(Type.Literal('free')),
    }),
    /** Staff set the tier that the account had already: it remains when payments end. */
    TierConfirmed: closed({ ...of, tier: oneOf(tiers) }),
    /** A payment gave a tier: the account's card subscription, or an order. */
    EntitlementGranted: closed({
      ...of,
      source: EntitlementSource,
      tier: oneOf(tiers),
      /** Null: until it is ended. */
      until: nullable(Timestamp),
      /** The tier that staff had set, which the account has without payments. Absent: `free`. */
      unpaidTier: Type.Optional(oneOf(tiers)),
      basedOn,
    }),
    EntitlementEnded: closed({ ...of, source: EntitlementSource, basedOn }),
    /** Raises (never lowers) the tier's concurrent sessions for this account; null removes the override. */
    ConcurrencyOverridden: closed({ ...of, limit: nullable(Type.Integer({ minimum: 1 })) }),
    /** Raises (never lowers) the tier's number of profiles for this account; null removes the override. */
    ProfileCapOverridden: closed({ ...of, limit: nullable(Type.Integer({ minimum: 1 })) }),
    AccountSuspended: closed({ ...of, reason: Type.String() }),
    AccountUnsuspended: closed(of),
    /** Permanent: everything of the account ends, and its data key is destroyed. */
    AccountErased: closed(of),
    /** Quota is reserved for a key before the key exists, and released after it has ended. */
    ApiKeyAdmitted: closed({ ...of, apiKeyId: idSchema('apiKey') }),
    ApiKeyDismissed: closed({ ...of, apiKeyId: idSchema('apiKey') }),
  },
  {
    audit: {
      AccountCreated: (data) => entry('account.created', data.accountId, { tier: data.tier }),
      TermsAccepted: ({ accountId, revision }) => entry('legal.accepted', accountId, { revision }),
      TierChanged: ({ accountId, from, to }) => entry('account.tier_changed', accountId, { from, to }),
      TierConfirmed: ({ accountId, tier }) => entry('account.tier_confirmed', accountId, { tier }),
      ConcurrencyOverridden: ({ accountId, limit }) =>
        entry('account.concurrency_overridden', accountId, { limit }),
      ProfileCapOverridden: ({ accountId, limit }) =>
        entry('account.profile_cap_overridden', accountId, { limit }),
      AccountSuspended: ({ accountId, reason }) => entry('account.suspended', accountId, { reason }),
      AccountUnsuspended: ({ accountId }) => entry('account.unsuspended', accountId),
      AccountErased: ({ accountId }) => entry('account.erased', accountId),
      EntitlementGranted: ({ accountId, source, tier, until }) =>
        entry('billing.entitlement_granted', accountId, { source, tier, until }),
      EntitlementEnded: ({ accountId, source }) => entry('billing.entitlement_ended', accountId, { source }),
    },
    timers: {
      EntitlementGranted: timersOn('source').starts('entitlement_end', 'until'),
      EntitlementEnded: timersOn('source').ends('entitlement_end'),
    },
  },
);
export type AccountEvent = EventOf<typeof accountEvents>;

/** `email-<hash>`: the address is taken. The hash is keyed, so that the stream's name does not reveal the address. */
export const emailEvents = category('email', {
  EmailReserved: closed(of),
  /** Its account was erased: the address is free again. */
  EmailReleased: closed(of),
});
export type EmailEvent = EventOf<typeof emailEvents>;
