import type { EventMetadata } from '../../../contracts/events/metadata.ts';
import { type Upcasters, upcasters as registered } from '../../../contracts/events/upcasters.ts';
import type { WireRecord } from './read-response.ts';
import type { RecordedEvent } from './types.ts';

const ticksPerMs = 10_000;

/** Decodes a record into an event, with upcast data. Never throws: a foreign record is readable too. */
export function decodeEvent(record: WireRecord, upcast: Upcast): RecordedEvent {
  const { id, stream, type, revision, position } = record;
  const category = categoryOf(stream);
  const created = new Date(Math.floor(record.createdTicks / ticksPerMs));
  const metadata = metadataOf(parse(record.metadata), created);
  const data = upcast(category, type, metadata.schema_version, parse(record.data));
  return { id, stream, category, type, revision, position, data, metadata, created };
}

/** The part of a stream's name before the first `-`; the whole name when it has none. */
export function categoryOf(stream: string): string {
  const dash = stream.indexOf('-');
  return dash < 0 ? stream : stream.slice(0, dash);
}

function parse(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An event written by another tool, or by the store itself, has no such metadata, and gets the minimum. */
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

/** Validated when it was written; only distinguished from foreign metadata here, because this runs for every event read. */
const isOurs = (metadata: unknown): metadata is EventMetadata =>
  typeof metadata === 'object' && metadata !== null && 'schema_version' in metadata && 'actor' in metadata;

/** Upcasts stored data of a type from its version to the current one. */
export type Upcast = (category: string, type: string, version: number, data: unknown) => unknown;

/**
 * Unknown types and versions are returned as they are: an older process may read a newer one's events, and uses the parts that it
 * knows.
 */
export function createUpcast(upcasters: Upcasters = registered): Upcast {
  const byCategory = new Map(Object.entries(upcasters));
  return (category, type, version, data) => {
    const steps = byCategory.get(category)?.[type];
    if (steps === undefined || data === undefined) return data;
    return steps.slice(version - 1).reduce((older: unknown, step) => step(older), data);
  };
}
