import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { CommandContext } from './context.ts';
import { eventIdOf, untypedEventIdOf } from './recording.ts';

/** The parts of a stream's event by which a repeated command is recognised. */
export type RecentEvent = Pick<RecordedEvent, 'id' | 'type'>;

/** Minimum number of remembered events: more than other commands append between a command and its repetition. */
const kept = 32;

/** Adds an event as the newest, and drops the older half if there are too many. */
export function remember(recent: RecentEvent[], { id, type }: RecentEvent): void {
  if (recent.push({ id, type }) >= 2 * kept) recent.splice(0, kept);
}

/**
 * Whether the stream has the decision's first event under the id that this command gives it. Then a timer, a reaction
 * or a callback was carried out before, and is repeated after a crash, or by a process that was suspended. A request
 * has a new id each time, so it is never a repetition.
 */
export function isRepeated(
  recent: readonly RecentEvent[],
  [first]: readonly DomainEvent[],
  context: CommandContext,
): boolean {
  if (recent.length === 0 || first === undefined || context.by.startsWith('request:')) return false;
  const alike = recent.filter(({ type }) => type === first.type);
  if (alike.length === 0) return false;
  const ids = [eventIdOf(context, 0, first.type), untypedEventIdOf(context, 0)];
  return alike.some(({ id }) => ids.includes(id));
}
