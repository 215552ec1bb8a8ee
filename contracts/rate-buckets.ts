import { tierLimits, type Tier } from './tiers.ts';

export const buckets = [
  'sessions:create',
  'default:read',
  'default:write',
  'agent_sessions:message',
  'agent_sessions:input_event',
  'webhooks:test',
  'byok_llm_key:test',
  'audit:export',
  'oauth:device',
] as const;
export type Bucket = (typeof buckets)[number];

export interface BucketSize {
  /** Capacity: maximum requests in a burst. */
  readonly burst: number;
  /** Tokens refilled per minute, one at a time. */
  readonly perMinute: number;
}

type Size = readonly [burst: number, perMinute: number];

const sizes = (create: Size, read: Size, write: Size, message: Size): Record<Bucket, BucketSize> => ({
  'sessions:create': size(create),
  'default:read': size(read),
  'default:write': size(write),
  'agent_sessions:message': size(message),
  // Moves at 120 Hz, and two seconds of them in a burst.
  'agent_sessions:input_event': size([240, 7200]),
  'webhooks:test': size([5, 5]),
  'byok_llm_key:test': size([5, 5]),
  'audit:export': size([2, 6]),
  // Each request may guess a user code.
  'oauth:device': size([10, 10]),
});
const size = ([burst, perMinute]: Size): BucketSize => ({ burst, perMinute });

/** Token buckets per account, by tier: creates, reads, writes, messages to agents. The figures are not part of the contract. */
export const bucketSizes: Record<Tier, Record<Bucket, BucketSize>> = {
  free: sizes([3, 5], [60, 300], [30, 120], [5, 20]),
  personal: sizes([5, 10], [90, 500], [45, 200], [5, 20]),
  team: sizes([8, 20], [120, 900], [60, 400], [10, 60]),
  agency: sizes([20, 50], [200, 1800], [100, 800], [20, 120]),
  api_starter: sizes([6, 15], [120, 900], [60, 400], [10, 40]),
  api_builder: sizes([20, 50], [200, 1800], [100, 800], [20, 120]),
  api_scale: sizes([60, 150], [300, 3000], [150, 1200], [50, 300]),
  enterprise: sizes([80, 200], [300, 3000], [150, 1200], [50, 300]),
};

/** Buckets per address, for routes without a credential: the same for all tiers. */
export const addressBuckets = {
  /** Each request may send a mail. */
  'auth:send': size([3, 3]),
  /** Each request may try a password, a token or a code. */
  'auth:attempt': size([30, 60]),
  /** Each reads an incident's stream in the log. */
  'status:read': size([60, 300]),
  /** A witness reads a tile for each 256 leaves. */
  'public-tree:read': size([120, 1200]),
  /** Each may send a mail. */
  'status:subscribe': size([3, 3]),
  /** For payment processors, which send from few addresses and retry refused callbacks. */
  'callbacks:take': size([600, 6000]),
  /** Devices poll, and many may share an address. */
  'oauth:token': size([60, 240]),
} as const satisfies Record<string, BucketSize>;
export type AddressBucket = keyof typeof addressBuckets;

/**
 * Mails that strangers can cause, limited by recipient. Their links outlive the refill of a token, so a recipient with an empty
 * bucket has a mail with a working link.
 */
export const recipientBuckets = {
  // Wider, because developers sign up with many address variants of one mailbox.
  'mail:sign-up': size([30, 1 / 5]),
  'mail:verification': size([5, 1 / 5]),
  'mail:magic_link': size([5, 1 / 5]),
  'mail:password_reset': size([5, 1 / 5]),
  'mail:status': size([5, 1 / 5]),
  'mail:invitation': size([5, 1 / 5]),
} as const satisfies Record<string, BucketSize>;
export type RecipientBucket = keyof typeof recipientBuckets;

/** Limit of an account's invitations: its maximum of open ones, as a burst and per hour. */
export const invitationsSent = (tier: Tier): BucketSize => {
  const { openInvitations } = tierLimits[tier];
  return { burst: openInvitations, perMinute: openInvitations / 60 };
};

export const isAddressBucket = (bucket: string): bucket is AddressBucket => bucket in addressBuckets;
