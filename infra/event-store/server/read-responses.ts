import type { LogPosition } from './checkpoints.ts';
import type { EventLog } from './event-log.ts';
import { LINK_TYPE, StoredRecord } from './record.ts';
import { firstVisible, isTombstoned, readableHead } from './record-sources.ts';
import { encoded } from '../protobuf/writer.ts';

/** Converts the stored bytes of an event into the requested form of `ReadResp`. */
export type Presenter = (record: Buffer) => Buffer;

export const caughtUp = encoded((response) => response.empty(8));

export const confirmation = (subscriptionId: string): Buffer =>
  encoded((response) => response.message(2, (confirmed) => confirmed.text(1, subscriptionId)));

export const checkpoint = ({ commit, prepare }: LogPosition): Buffer =>
  encoded((response) => response.message(3, (position) => position.varint(2, prepare).varint(1, commit)));

export const streamNotFound = (stream: string): Buffer =>
  encoded((response) =>
    response.message(4, (notFound) => notFound.message(1, (identifier) => identifier.text(3, stream))),
  );

export const firstStreamPosition = (revision: number): Buffer =>
  encoded((response) => response.varint(5, revision));

export const lastStreamPosition = (revision: number): Buffer =>
  encoded((response) => response.varint(6, revision));

/** Wraps `RecordedEvent`s into a `ReadResp`. */
const readEvent = (event: Buffer | undefined, link: Buffer | undefined, position: number): Buffer =>
  encoded((response) =>
    response.message(1, (message) => {
      message.varint(3, position);
      if (link) message.bytes(2, link);
      if (event) message.bytes(1, event);
    }),
  );

/** The id as two 64-bit halves, for callers that do not request text. Written after the text, it replaces it. */
function withStructuredId(recorded: Buffer, id: string): Buffer {
  const hex = id.replaceAll('-', '');
  const [most, least] = [BigInt(`0x${hex.slice(0, 16)}`), BigInt(`0x${hex.slice(16)}`)];
  const structured = encoded((record) =>
    record.message(1, (uuid) => uuid.message(1, (halves) => halves.varint(2, least).varint(1, most))),
  );
  return Buffer.concat([recorded, structured]);
}

function linkTarget(log: EventLog, link: StoredRecord): StoredRecord | undefined {
  const [revision = '', ...name] = link.data.toString().split('@');
  const stream = name.join('@');
  if (!/^\d+$/.test(revision) || isTombstoned(log, stream)) return undefined;
  const head = readableHead(log, stream);
  if (head?.id === undefined || Number(revision) < firstVisible(log, stream, head, Date.now()))
    return undefined;
  const bytes = log.event(head.id, Number(revision));
  return bytes && new StoredRecord(bytes);
}

function resolved(log: EventLog, record: StoredRecord, present: (record: StoredRecord) => Buffer): Buffer {
  const target = linkTarget(log, record);
  return readEvent(target && present(target), present(record), record.position);
}

/** Clients refuse a longer message, in bytes, on every retry. */
const MAX_SENT_BYTES = 17 * 1024 * 1024;

export interface Presentation {
  readonly resolveLinks: boolean;
  readonly structuredIds: boolean;
  /** Sends events of any size, instead of too large ones without their content. */
  readonly oversized: boolean;
}

/** The stored bytes as they are, for most callers. */
export function presenterFor(
  log: EventLog,
  { resolveLinks, structuredIds, oversized }: Presentation,
): Presenter {
  const present = structuredIds
    ? (record: StoredRecord) => withStructuredId(record.recorded, record.id)
    : (record: StoredRecord) => record.recorded;
  return (bytes) => {
    if (bytes.length > MAX_SENT_BYTES && !oversized) return withoutContent(new StoredRecord(bytes));
    if (!resolveLinks && !structuredIds) return bytes;
    const record = new StoredRecord(bytes);
    if (resolveLinks && record.type === LINK_TYPE) return resolved(log, record, present);
    return structuredIds ? readEvent(present(record), undefined, record.position) : bytes;
  };
}

const withoutContent = (record: StoredRecord): Buffer =>
  readEvent(record.recordedHead, undefined, record.position);
