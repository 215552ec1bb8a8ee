import type { AccountId } from '../../contracts/ids.ts';
import { Refusal } from '../../contracts/problems.ts';
import {
  invitationsSent,
  recipientBuckets,
  type BucketSize,
  type RecipientBucket,
} from '../../contracts/rate-buckets.ts';
import type { Tier } from '../../contracts/tiers.ts';

/** Limits mails that strangers can cause. Each call takes a token from a bucket, and returns the refusal if it is empty. */
export interface MailLimits {
  /** @param recipient the keyed uuid of an address: no address in clear is stored with the buckets */
  toRecipient(recipient: string, bucket: RecipientBucket): Promise<Refusal | undefined>;
  invitationOf(sender: { readonly accountId: AccountId; readonly tier: Tier }): Promise<Refusal | undefined>;
}

/** @param spend takes a token from a bucket; returns the refusal if it is empty */
export function createMailLimits(
  spend: (key: string, bucket: string, size: BucketSize) => Promise<unknown>,
): MailLimits {
  const refusalOf = async (...bucket: Parameters<typeof spend>): Promise<Refusal | undefined> => {
    const spent = await spend(...bucket);
    return spent instanceof Refusal ? spent : undefined;
  };
  return {
    toRecipient: (recipient, bucket) => refusalOf(recipient, bucket, recipientBuckets[bucket]),
    invitationOf: ({ accountId, tier }) => refusalOf(accountId, 'mail:invitations', invitationsSent(tier)),
  };
}
