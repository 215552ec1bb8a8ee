import type { Category } from '../../../contracts/events/catalogue.ts';
import type { Recorded } from '../../../projections/engine/read-model.ts';
import type { RecordedEvent } from '../../event-store/client/types.ts';

/** Functions by event type, for events of unknown data. */
export type Handlers<Result> = Readonly<Record<string, ((event: RecordedEvent) => Result) | undefined>>;

/** Gives each handler of a category's events the type that the event's schema says. */
export function handlersOf<K extends Category, Result>(
  category: K,
  handlers: { readonly [T in keyof K['types']]?: (event: Recorded<K, T>) => Result },
): Handlers<Result>;
export function handlersOf<Result>(_category: Category, handlers: Handlers<Result>): Handlers<Result> {
  return handlers;
}
