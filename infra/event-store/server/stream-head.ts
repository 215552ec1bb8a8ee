/** Stored metadata of a stream, which appends rarely change. */
export interface StreamDescription {
  /** The stream's key in the index: the position of its first event. Absent without events. */
  readonly id?: number;
  /** The JSON of the newest event of its `$$` stream. */
  readonly metadata?: string;
  readonly tombstoned?: true;
}

/** The state of a stream, without its events. */
export interface StreamHead extends StreamDescription {
  /** Revision of the last event; -1 without events. */
  readonly last: number;
}

export const NO_STREAM: StreamHead = { last: -1 };

const META_PREFIX = '$$';

/** `$tb` of a soft-deleted stream: everything is truncated. Doubles round 2^63-1 to 2^63. */
const TRUNCATED_WHOLE = 2 ** 63;
/** The metadata of a soft-deleted stream; other properties are dropped. */
export const DELETED_METADATA = '{"$tb":9223372036854775807}';

export const isMetastream = (stream: string): boolean => stream.startsWith(META_PREFIX);
export const metastreamOf = (stream: string): string => META_PREFIX + stream;
export const originalOf = (metastream: string): string => metastream.slice(META_PREFIX.length);

export interface StreamLimits {
  /** In seconds. */
  readonly maxAge?: number;
  readonly maxCount?: number;
  readonly truncateBefore?: number;
}

function parseObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 ? value : undefined;

const METASTREAM_LIMITS: StreamLimits = { maxCount: 1 };
const NO_LIMITS: StreamLimits = {};

/** The visible range of a stream. Only the newest event of a metadata stream is visible. */
export function limitsOf(stream: string, head: StreamHead): StreamLimits {
  if (isMetastream(stream)) return METASTREAM_LIMITS;
  if (head.metadata === undefined) return NO_LIMITS;
  const values = parseObject(head.metadata);
  const maxAge = positive(values.$maxAge);
  const maxCount = positive(values.$maxCount);
  const truncateBefore = positive(values.$tb);
  return {
    ...(maxAge !== undefined && { maxAge }),
    ...(maxCount !== undefined && { maxCount }),
    ...(truncateBefore !== undefined && { truncateBefore }),
  };
}

export function isSoftDeleted(head: StreamHead): boolean {
  if (head.metadata === undefined) return false;
  const truncateBefore = parseObject(head.metadata).$tb;
  return typeof truncateBefore === 'number' && truncateBefore >= TRUNCATED_WHOLE;
}

/** The stream's metadata with another `$tb`. */
export const withTruncateBefore = (metadata: string | undefined, truncateBefore: number): string =>
  JSON.stringify({ ...parseObject(metadata ?? '{}'), $tb: truncateBefore });
