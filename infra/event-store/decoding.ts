import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventMetadata } from '../../contracts/events/metadata.ts';
import type { RecordedEvent } from './types.ts';
import type { Upcast } from './upcasting.ts';

type Recorded = ReadResp.ReadEvent.RecordedEvent;

/** `created` is in .NET ticks of 100 ns. */
const ticksPerMs = 10_000;

/** Turns the wire's record into an event, its data upcast. Never throws: a record that is not ours is still readable. */
export function decodeEvent(record: Recorded, upcast: Upcast): RecordedEvent {
  const stream = utf8(record.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array());
  const category = categoryOf(stream);
  const properties = record.getMetadataMap();
  const type = properties.get('type') ?? '';
  const created = new Date(Math.floor(Number(properties.get('created') ?? 0) / ticksPerMs));
  const metadata = metadataOf(parse(record.getCustomMetadata_asU8()), created);
  return {
    id: uuidText(record.getId()),
    stream,
    category,
    type,
    revision: BigInt(record.getStreamRevision()),
    position: { commit: BigInt(record.getCommitPosition()), prepare: BigInt(record.getPreparePosition()) },
    data: upcast(category, type, metadata.schema_version, parse(record.getData_asU8())),
    metadata,
    created,
  };
}

/** The part of a stream's name before the first `-`; the whole name when it has none. */
export function categoryOf(stream: string): string {
  const dash = stream.indexOf('-');
  return dash < 0 ? stream : stream.slice(0, dash);
}

const utf8 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

function parse(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(utf8(bytes));
  } catch {
    return undefined;
  }
}

/** An event written by someone else's tool, or by the store itself, has no metadata of ours: it gets the least we say. */
function metadataOf(metadata: unknown, created: Date): EventMetadata {
  if (isOurs(metadata)) return metadata;
  return {
    correlation_id: '',
    causation_id: '',
    actor: { kind: 'system', account_id: null },
    occurred_at: created.toISOString(),
    schema_version: 1,
    request_id: null,
  };
}

/** Checked where it was written; here only told apart from foreign metadata, since this runs for every event read. */
const isOurs = (metadata: unknown): metadata is EventMetadata =>
  typeof metadata === 'object' && metadata !== null && 'schema_version' in metadata && 'actor' in metadata;

function uuidText(id: UUID | undefined): string {
  const structured = id?.getStructured();
  if (structured === undefined) return id?.getString() ?? '';
  const half = (bits: string) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');
  const hex = half(structured.getMostSignificantBits()) + half(structured.getLeastSignificantBits());
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
