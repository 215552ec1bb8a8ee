import type { Category } from '../../contracts/events/catalogue.ts';
import type { Static } from '../../contracts/schema.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';

/** An event of the log, of one type of a category. */
export type Recorded<K extends Category, T extends keyof K['types']> = RecordedEvent & {
  readonly data: Static<K['types'][T]>;
};

/** Functions by event type; what they are given is any event, whose data is unknown. */
export type Handlers<Result> = Readonly<Record<string, ((event: RecordedEvent) => Result) | undefined>>;

/**
 * The one place where an event of the log meets the type its schema gives it. What was appended was checked against that
 * schema; what was not (bytes that are no JSON, a foreign writer) makes the handler or Postgres fail and gets parked.
 */
export function handlersOf<K extends Category, Result>(
  category: K,
  handlers: { readonly [T in keyof K['types']]?: (event: Recorded<K, T>) => Result },
): Handlers<Result>;
export function handlersOf<Result>(_category: Category, handlers: Handlers<Result>): Handlers<Result> {
  return handlers;
}
