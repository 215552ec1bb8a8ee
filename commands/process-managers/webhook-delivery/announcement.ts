import { categoriesWith } from '../../../contracts/events/index.ts';
import type { AccountId } from '../../../contracts/ids.ts';
import type { WebhookEnvelope } from '../../../contracts/webhooks/envelope.ts';
import { envelopeOf } from '../../../domain/webhook-event/webhook-event.ts';
import { ownerOf } from '../../../infra/event-store/client/owner.ts';
import type { RecordedEvent } from '../../../infra/event-store/client/types.ts';
import { isKnown } from '../../engine/recording.ts';

const categories = categoriesWith('announced');

/** The categories whose events may be announced. */
export const announcedCategories: readonly string[] = categories.map(({ name }) => name);

export interface Announcement {
  readonly envelope: WebhookEnvelope;
  /** Whose endpoints get it. */
  readonly accountId: AccountId;
}

/** What webhooks tell of a recorded event; undefined for most, and for one that belongs to no account. */
export function announcementOf(event: RecordedEvent): Announcement | undefined {
  const category = categories.find(({ name }) => name === event.category);
  if (category === undefined || !isKnown(category, event)) return undefined;
  const envelope = envelopeOf(event.id, event);
  const accountId = ownerOf(event);
  return envelope && accountId && { envelope, accountId };
}
