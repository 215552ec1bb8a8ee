import { createHash } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import type { AuditedAction } from '../../contracts/events/catalogue.ts';
import { withField } from '../../contracts/events/fields.ts';
import { auditedTypes } from '../../contracts/events/index.ts';
import type { Actor } from '../../contracts/events/metadata.ts';
import { toId, type Id } from '../../contracts/ids.ts';
import type { AuditEntry } from '../../contracts/resources/account.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';

/** The `prev_hash` of an account's first entry. */
export const genesis = '0'.repeat(64);

/** An arbitrary namespace: entry ids derive from it and the event's id. */
const namespace = 'b5c2a7de-3f0b-4c57-9a7e-0d7c1f6f5e11';

/** Id of the entry that an audited event adds to its account's log. */
export const auditEntryIdOf = ({ id }: Pick<RecordedEvent, 'id'>): Id<'auditEntry'> =>
  toId('auditEntry', uuidv5(id, namespace));

/** The head of an account's chain, which the next entry follows. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}
export const emptyChain: ChainHead = { sequence: 0, hash: genesis };

/** The entry that an event adds to its account's chain; undefined if none. Deterministic. */
export function auditEntryOf(event: RecordedEvent, head: ChainHead): AuditEntry | undefined {
  const audited = auditedOf(event);
  const accountId = ownerOf(event);
  if (!audited || accountId === undefined) return undefined;
  const { actor, ip, user_agent, request_id, occurred_at } = event.metadata;
  const unhashed = {
    id: auditEntryIdOf(event),
    sequence: head.sequence + 1,
    action: audited.action,
    account_id: accountId,
    ...(audited.bySystem ? ({ actor_type: 'system' } as const) : actorFields(actor)),
    target: audited.target,
    payload: audited.payload,
    ip: ip ?? null,
    user_agent: user_agent ?? null,
    request_id,
    created_at: new Date(occurred_at).toISOString(),
    prev_hash: head.hash,
  };
  return { ...unhashed, hash: hashOf(unhashed) };
}

/** Placeholder for sealed fields while an entry is made. */
const sealedMark = Symbol('sealed');

/** Sealed fields are left out, because the entry's hash outlives them; `omitted` names them. */
function auditedOf({
  type,
  data,
  id,
  metadata: { sealed = [] },
}: RecordedEvent): AuditedAction | null | undefined {
  const marked = sealed.reduce((marking, path) => withField(marking, path, sealedMark), data);
  const audited = auditedTypes[type]?.(marked, id);
  if (!audited || sealed.length === 0) return audited;
  const fields = Object.entries(audited.payload);
  const omitted = fields.filter(([, value]) => value === sealedMark).map(([name]) => name);
  if (omitted.length === 0) return audited;
  return {
    ...audited,
    payload: { ...Object.fromEntries(fields.filter(([, value]) => value !== sealedMark)), omitted },
  };
}

type ActorFields = Pick<AuditEntry, 'actor_type' | 'actor_account_id' | 'actor_key_id'>;

const actorFields = ({ kind, actor_account_id, actor_key_id }: Actor): ActorFields => ({
  actor_type: kind === 'node' ? 'system' : kind,
  ...(actor_account_id === undefined ? {} : { actor_account_id }),
  ...(actor_key_id === undefined ? {} : { actor_key_id }),
});

/** SHA-256, hex, over the canonical JSON of every field except `hash`. Anyone can verify it with an export. */
export const hashOf = (entry: Omit<AuditEntry, 'hash'>): string =>
  createHash('sha256').update(canonicalJson(entry)).digest('hex');

/** JSON with the keys of every object sorted and no white space; fields that are `undefined` are left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}
