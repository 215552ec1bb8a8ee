import type { IdKind } from '../../contracts/ids.ts';
import { recordContracts, type RecordName } from '../../contracts/records.ts';
import type { accountQuotas } from './quotas.ts';

/** The kind of ids that reserve on each quota that an erasure ends. */
export const kindOfQuota = {
  ...{ api_keys: 'apiKey', webhooks: 'webhook', profiles: 'profile', invitations: 'invitation' },
  ...(Object.fromEntries(recordContracts.map(({ name, kind }) => [name, kind])) as Record<
    RecordName,
    IdKind
  >),
} as const satisfies Record<keyof ReturnType<typeof accountQuotas>, IdKind>;

export const quotasOfErasure = Object.keys(kindOfQuota) as (keyof typeof kindOfQuota)[];
