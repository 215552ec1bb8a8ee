import type { LogPosition } from './checkpoints.ts';
import type { EventLog } from './event-log.ts';
import { LINK_TYPE, StoredRecord } from './record.ts';
import { isTombstoned, readableHead } from './record-sources.ts';
import { fieldSize, ProtobufWriter, varintSize } from '../protobuf/writer.ts';
import { firstVisible } from './visible-range.ts';

/** Turns the stored bytes of an event into the `ReadResp` a caller asked for. */
export type Presenter = (record: Buffer) => Buffer;

const EMPTY = new Uint8Array();

export const caughtUp = new ProtobufWriter(2).bytesField(8, EMPTY).bytes;

export function confirmation(subscriptionId: string): Buffer {
  const id = Buffer.from(subscriptionId);
  return new ProtobufWriter(fieldSize(fieldSize(id.length)))
    .messageField(2, fieldSize(id.length))
    .bytesField(1, id).bytes;
}

export function checkpoint({ commit, prepare }: LogPosition): Buffer {
  const size = 2 + varintSize(commit) + varintSize(prepare);
  return new ProtobufWriter(fieldSize(size))
    .messageField(3, size)
    .varintField(1, commit)
    .varintField(2, prepare).bytes;
}

export function streamNotFound(stream: string): Buffer {
  const name = Buffer.from(stream);
  const identifier = fieldSize(name.length);
  return new ProtobufWriter(fieldSize(fieldSize(identifier)))
    .messageField(4, fieldSize(identifier))
    .messageField(1, identifier)
    .bytesField(3, name).bytes;
}

export const firstStreamPosition = (revision: number): Buffer =>
  new ProtobufWriter(1 + varintSize(revision)).varintField(5, revision).bytes;

export const lastStreamPosition = (revision: number): Buffer =>
  new ProtobufWriter(1 + varintSize(revision)).varintField(6, revision).bytes;

/** Wraps `RecordedEvent`s into a `ReadResp`. */
function readEvent(event: Buffer | undefined, link: Buffer | undefined, position: number): Buffer {
  const eventSize = event ? fieldSize(event.length) : 0;
  const size = eventSize + (link ? fieldSize(link.length) : 0) + 1 + varintSize(position);
  const writer = new ProtobufWriter(fieldSize(size)).messageField(1, size);
  if (event) writer.bytesField(1, event);
  if (link) writer.bytesField(2, link);
  return writer.varintField(3, position).bytes;
}

/** The id as two 64-bit halves, for callers that do not ask for text. Written after the text, it takes its place. */
function withStructuredId(recorded: Buffer, id: string): Buffer {
  const hex = id.replaceAll('-', '');
  const most = BigInt(`0x${hex.slice(0, 16)}`);
  const least = BigInt(`0x${hex.slice(16)}`);
  const halves = 2 + varintSize(most) + varintSize(least);
  const writer = new ProtobufWriter(fieldSize(fieldSize(halves)));
  writer
    .messageField(1, fieldSize(halves))
    .messageField(1, halves)
    .varintField(1, most)
    .varintField(2, least);
  return Buffer.concat([recorded, writer.bytes]);
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

/** Clients refuse a longer message, bytes, and would again at every new try. */
const MAX_SENT_BYTES = 17 * 1024 * 1024;

export interface Presentation {
  readonly resolveLinks: boolean;
  readonly structuredIds: boolean;
  /** Send events of whatever size, rather than those that are too large without their content. */
  readonly oversized: boolean;
}

/** The usual caller gets the stored bytes as they are. */
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
