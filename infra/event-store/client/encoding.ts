import { isUuid } from '../../../contracts/ids.ts';
import { UnstorableEvent } from './failures.ts';

/** An encoded event: serialised and validated before anything is sent. */
export interface EncodedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/**
 * The store's limit of one append (its `MaxAppendSize`), in bytes. Refused here, so that the shared connection does not break.
 */
export const maxAppendBytes = 1024 * 1024;

/**
 * An escaped NUL or lone surrogate in JSON text, after an even number of backslashes (otherwise the backslash itself is escaped).
 */
const unstorableEscape = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

export interface Encodable {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly metadata?: unknown;
}

/** Throws `UnstorableEvent` for values that JSON or Postgres cannot store, and for an append above the store's limit. */
export function encodeEvents(events: readonly Encodable[]): readonly EncodedEvent[] {
  const encoded = events.map(encodeEvent);
  const bytes = encoded.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
  if (bytes > maxAppendBytes) {
    throw new UnstorableEvent(
      events[0]?.type ?? 'Nothing',
      `the append has ${bytes} bytes, the store takes ${maxAppendBytes}`,
    );
  }
  return encoded;
}

function encodeEvent({ id, type, data, metadata }: Encodable): EncodedEvent {
  if (!isUuid(id)) throw new UnstorableEvent(type, `its id ${id} is not a uuid`);
  return {
    id,
    type,
    data: encodeJson(type, data),
    metadata: metadata === undefined ? new Uint8Array() : encodeJson(type, metadata),
  };
}

function encodeJson(type: string, value: unknown): Uint8Array {
  const text = stringify(type, value);
  // JSON.stringify escapes exactly the control characters and lone surrogates, so most texts have no \u.
  if (text.includes('\\u') && unstorableEscape.test(text)) {
    throw new UnstorableEvent(type, 'it holds a NUL or half of a surrogate pair');
  }
  return Buffer.from(text, 'utf8');
}

/** `JSON.stringify` with its true type: undefined for a function, a symbol or undefined. */
const toJson: (value: unknown) => string | undefined = JSON.stringify;

function stringify(type: string, value: unknown): string {
  try {
    const text = toJson(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new UnstorableEvent(type, 'it is not JSON', { cause });
  }
  throw new UnstorableEvent(type, 'it is not JSON');
}
