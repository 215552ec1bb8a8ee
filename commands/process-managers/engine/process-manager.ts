import type { Logger } from 'pino';
import type { Category, DomainEvent, EventOf } from '../../../contracts/events/catalogue.ts';
import { byType, type ByType } from '../../../domain/kit/decider.ts';
import type { Timer } from '../../../domain/kit/timer.ts';
import type { RecordedEvent } from '../../../infra/event-store/client/types.ts';
import type { WakeUps } from '../../../infra/queue/types.ts';
import { reactionContext, stepContext, type CommandContext } from '../../engine/context.ts';
import { isKnown } from '../../engine/recording.ts';

/**
 * Turns events into commands. It holds no truth: a reaction's command ids derive from its event, and each command is
 * decided on the stream it changes, so a reaction that runs again, or late, or beside another, changes nothing twice.
 */
export interface ProcessManager {
  readonly name: string;
  /** The types of events that it is given; the store sends no others. */
  readonly types: readonly string[];
  /**
   * Reactions of one partition are handled one after the other, in the order of the log: the next begins when the one before it
   * took effect or is parked. Without a partition a reaction is handled beside all others. A parked one that is tried again
   * takes its turn in the partition too, but late: what must be in order has to notice that by the event's position. Asked
   * when the event arrives, in the order of the log, and again for a parked one.
   */
  partition?(event: RecordedEvent): string | undefined;
  /**
   * This host became the leader. Another one may have led since it last did, so cached state is invalid. `parked`:
   * the events to which its reactions are parked.
   */
  begin?(parked: readonly RecordedEvent[]): void;
  /**
   * Resolves once the reaction has taken effect. Outside a partition it is first called when its event arrives, before any later
   * event does, and until its first wait it runs in the order of the log.
   */
  handle(event: RecordedEvent): Promise<void>;
}

export interface ProcessDefinition<Event extends DomainEvent, Command> {
  readonly name: string;
  readonly category: Category;
  /** What leads to commands; by default any event of the category may. */
  readonly types?: readonly Event['type'][];
  readonly partition?: (event: Event) => string | undefined;
  /** The pure part: the commands that follow. */
  readonly react: (event: Event) => readonly Command[];
  readonly perform: (command: Command, context: CommandContext) => Promise<unknown>;
}

export const processManager = <Event extends DomainEvent, Command>({
  name,
  category,
  types = Object.keys(category.types),
  partition: partitionOf,
  react,
  perform,
}: ProcessDefinition<Event, Command>): ProcessManager => ({
  name,
  types,
  // An event that cannot be parsed is refused by `handle`.
  partition: (event) =>
    event.data !== undefined && isKnown<Event>(category, event) ? partitionOf?.(event) : undefined,
  handle: async (event) => {
    if (!isKnown<Event>(category, event)) return;
    const cause = reactionContext(name, event);
    for (const [index, command] of react(event).entries())
      await perform(command, stepContext(cause, String(index)));
  },
});

/** A process manager that does one thing because of an event of some types, and nothing because of any other. */
export const reactingTo = <C extends Category>(
  name: string,
  category: C,
  on: Partial<ByType<EventOf<C>, Promise<unknown>, [context: CommandContext]>>,
  partition: (event: EventOf<C>) => string | undefined = () => undefined,
): ProcessManager =>
  processManager<EventOf<C>, EventOf<C>>({
    name,
    category,
    types: Object.keys(on),
    partition,
    react: (event) => (Object.hasOwn(on, event.type) ? [event] : []),
    perform: async (event, context) => byType(on, event, context),
  });

export interface WakingPorts {
  readonly wakeUps: Pick<WakeUps, 'schedule'>;
  readonly logger: Logger;
}

/** Not awaited: the sweep replaces wake-ups that a failing queue loses, and reactions must not wait for it. */
export function wakeUpAt({ wakeUps, logger }: WakingPorts, { id, dueAt }: Timer): Promise<void> {
  wakeUps.schedule(id, new Date(dueAt)).catch((error: unknown) => {
    logger.warn({ err: error, timer: id }, 'A wake-up was not scheduled and is left to the sweep.');
  });
  return Promise.resolve();
}
