import { idSchema } from '../ids.ts';
import { Type, Timestamp, closed } from '../schema.ts';
import { category, type EventOf } from './catalogue.ts';

/** `deprecated_use-<account uuid>`: an account's uses of deprecated entries. At most one event per day and entry. */
export const deprecatedUseEvents = category('deprecated_use', {
  DeprecationUsed: closed({
    accountId: idSchema('account'),
    /** Id in the registry. */
    deprecationId: Type.String(),
    /** In UTC, `YYYY-MM-DD`. */
    day: Type.String({ format: 'date' }),
    at: Timestamp,
  }),
});
export type DeprecatedUseEvent = EventOf<typeof deprecatedUseEvents>;
