import { Type } from '../schema.ts';

/** Maximum timeout of an operation in milliseconds. */
export const longestTimeoutMs = 120_000;
const range = { minimum: 1, maximum: longestTimeoutMs } as const;

const usual = 'Default: 30000, unless this service is configured otherwise';

/**
 * Timeout of an operation in milliseconds. Not filled in by validation: the default depends on the configuration, and is
 * determined when the operation is dispatched.
 */
export const timeoutMs = Type.Optional(Type.Integer({ ...range, description: `${usual}.` }));

/** The same of an operation that may take time by itself. */
export const timeoutBesideOwnTimeMs = Type.Optional(
  Type.Integer({
    ...range,
    description: `${usual}, and in addition what the operation takes by itself (a delay, a gesture, the pauses between letters); at most ${longestTimeoutMs}.`,
  }),
);
