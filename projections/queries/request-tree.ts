import { causeKinds, type CauseKind } from '../../contracts/events/metadata.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { CausedEvent, RequestTree } from '../../contracts/resources/request.ts';
import { routes } from '../../contracts/routes/index.ts';
import { mostEvents, type StoredCause, type StoredTree } from './request.ts';

/**
 * The tree as shown to an account: events of others are left out, and their effects are attached to the nearest shown event
 * before. Without an account everything is shown. Undefined if nothing is visible to the account.
 */
export function presentTree(tree: StoredTree, accountId?: AccountId): RequestTree | undefined {
  const all = tree.causes.slice(0, mostEvents);
  const isOwn = (of: Pick<StoredCause, 'account_id'>) =>
    accountId === undefined || of.account_id === accountId;
  const own = all.filter(isOwn);
  if (own.length === 0 && (tree.answered === null || !isOwn(tree.answered))) return undefined;
  const byId = new Map(all.map((event) => [event.id, event]));
  const causeIn = ({ cause }: StoredCause) => (cause === null ? undefined : byId.get(cause));
  const shownCause = (event: StoredCause): string | null => {
    let cause = causeIn(event);
    while (cause !== undefined && !isOwn(cause)) cause = causeIn(cause);
    return cause?.id ?? null;
  };
  return {
    request: factsOf(tree, own),
    events: own.map((event) => ({
      ...{ id: event.id, type: event.type, stream: event.stream, position: event.position },
      ...{ at: iso(event.at), cause: shownCause(event), ...byOf(event) },
    })),
    deliveries: tree.deliveries.map(({ id, event_id, status, attempts }) => ({
      ...{ id, event_id, status, attempts },
    })),
    mails: tree.mails.map(({ id, template, status }) => ({ id, template, status })),
    has_more: tree.causes.length > all.length,
  };
}

/** Falls back to route and time of the events if the answer is not recorded. */
function factsOf({ id, answered }: StoredTree, events: readonly StoredCause[]): RequestTree['request'] {
  const { operation, status, at, duration_ms } = answered ?? {
    ...{ operation: operationOf(events), at: events[0]?.at ?? '1970-01-01T00:00:00Z' },
    ...{ status: null, duration_ms: null },
  };
  const { method, path } = routes.find((route) => route.id === operation) ?? { method: null, path: null };
  return { id, method, path, status, at: iso(at), duration_ms };
}

const iso = (time: string): string => new Date(time).toISOString();

const isKind = (text: string | undefined): text is CauseKind => causeKinds.some((kind) => kind === text);

/** Earlier releases did not record what ran a command. */
function byOf({ by, cause }: StoredCause): Pick<CausedEvent, 'by' | 'name'> {
  const [, kind, name] = /^(\w+):(.*)$/.exec(by ?? '') ?? [];
  if (!isKind(kind) || name === undefined) return { by: cause === null ? 'request' : 'reaction' };
  return { by: kind, name };
}

const operationOf = (events: readonly StoredCause[]): string | undefined =>
  events.map(byOf).find(({ by, name }) => by === 'request' && name !== undefined)?.name;
