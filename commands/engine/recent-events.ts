import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { CommandContext } from './context.ts';
import { eventIdOf } from './recording.ts';

/** The parts of a stream's event by which a repeated command is recognised. */
export type RecentEvent = Pick<RecordedEvent, 'id' | 'type'>;

/** At least as many are known: more than other commands append to a stream between a command and its repetition. */
const kept = 32;

/** Adds an event as the newest, and drops the older half if there are too many. */
export function remember(recent: RecentEvent[], { id, type }: RecentEvent): void {
  if (recent.push({ id, type }) >= 2 * kept) recent.splice(0, kept);
}

/**
 * Whether the stream has the decision's first event under the id that this command gives it: a timer, a reaction or a callback
 * that was carried out before, and comes again after a crash or from a process that stood still. A request has a new id each
 * time, so it is never repeated.
 */
export function isRepeated(
  recent: readonly RecentEvent[],
  [first]: readonly DomainEvent[],
  context: CommandContext,
): boolean {
  if (recent.length === 0 || first === undefined || context.by.startsWith('request:')) return false;
  const id = eventIdOf(context, 0);
  return recent.some((event) => event.id === id && event.type === first.type);
}
