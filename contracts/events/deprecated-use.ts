import { idSchema } from '../ids.ts';
import { Type, Timestamp, closed } from '../schema.ts';
import { category, type EventOf } from './catalogue.ts';

/** `deprecated_use-<account uuid>`: what an account still calls of what will go away. One event for each day and entry at most. */
export const deprecatedUseEvents = category('deprecated_use', {
  DeprecationUsed: closed({
    accountId: idSchema('account'),
    /** Of the registry. */
    deprecationId: Type.String(),
    /** In UTC, `YYYY-MM-DD`. */
    day: Type.String({ format: 'date' }),
    at: Timestamp,
  }),
});
export type DeprecatedUseEvent = EventOf<typeof deprecatedUseEvents>;
