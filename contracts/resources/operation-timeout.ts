import { Type } from '../schema.ts';

/** Maximum timeout of an operation in milliseconds. */
export const longestTimeoutMs = 120_000;
const range = { minimum: 1, maximum: longestTimeoutMs } as const;

/** Timeout of an operation in milliseconds. */
export const timeoutMs = Type.Optional(Type.Integer({ ...range, default: 30_000 }));

/** The same of an operation that may take time by itself: its default is determined when it is dispatched. */
export const timeoutBesideOwnTimeMs = Type.Optional(
  Type.Integer({
    ...range,
    description:
      'Default: 30000, and in addition what the operation takes by itself (a delay, a gesture, the pauses between letters); at most 120000.',
  }),
);
