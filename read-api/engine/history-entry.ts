import { auditedTypes } from '../../contracts/events/index.ts';
import type { Actor } from '../../contracts/events/metadata.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { creatorOf } from '../../contracts/resources/creator.ts';
import type { Change, HistoryEntry } from '../../contracts/resources/history.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import { positionText } from '../../infra/event-store/client/position.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { auditEntryIdOf } from '../../projections/audit/entry.ts';

const auditedOf = ({ type, data, id }: RecordedEvent) => auditedTypes[type]?.(data, id) ?? undefined;

export const isAudited = (event: RecordedEvent): boolean => auditedOf(event) !== undefined;

/** An event as an entry of a resource's history. Omits the actor, the request and the audit entry if the event happened under another account. */
export function entryOf(
  event: RecordedEvent,
  changes: readonly Change[],
  accountId: AccountId | undefined,
): HistoryEntry {
  const { actor, request_id } = event.metadata;
  const audited = auditedOf(event);
  const isOwn = accountId !== undefined && ownerOf(event) === accountId;
  const kind = audited?.bySystem === true || actor.kind === 'node' ? 'system' : actor.kind;
  return {
    position: positionText(event.position),
    at: event.created.toISOString(),
    action: audited?.action ?? event.type,
    actor: { kind, account_id: isOwn && kind !== 'system' ? accountOf(actor) : null },
    request_id: isOwn ? request_id : null,
    ...(isOwn && audited !== undefined && { audit_entry_id: auditEntryIdOf(event) }),
    changes: [...changes],
  };
}

/** Account of the acting credential; null for staff and for the service itself. */
const accountOf = (actor: Actor): AccountId | null => creatorOf(actor)?.account_id ?? null;
