import type { Static } from '../../contracts/schema.ts';
import type { KeyRecord as KeyRecordSchema } from '../../contracts/events/api-key.ts';

export type KeyRecord = Static<typeof KeyRecordSchema>;

interface KeyFacts {
  readonly record: KeyRecord;
  readonly createdAt: string;
}

/** A rotated key works until its grace ends; `none` is a stream without events. */
export type ApiKey =
  | { readonly status: 'none' }
  | ({ readonly status: 'active' } & KeyFacts)
  | ({ readonly status: 'rotated'; readonly successor: KeyRecord; readonly graceEndsAt: string } & KeyFacts)
  | ({ readonly status: 'revoked'; readonly revokedAt: string } & KeyFacts);

export const noKey: ApiKey = { status: 'none' };

/** How a key stands at a moment: only an `active` one opens anything. The instant of its expiry is past it. */
export type Standing = 'unknown' | 'active' | 'expired' | 'revoked';

export function standing(key: ApiKey, now: Date): Standing {
  switch (key.status) {
    case 'none':
      return 'unknown';
    case 'revoked':
      return 'revoked';
    case 'rotated':
      return isPast(key.graceEndsAt, now) ? 'expired' : 'active';
    case 'active':
      return isPast(key.record.expiresAt, now) ? 'expired' : 'active';
  }
}

const isPast = (time: string | null, now: Date): boolean =>
  time !== null && Date.parse(time) <= now.getTime();
