import type { Logger } from 'pino';
import type { Category, DomainEvent, EventOf } from '../../../contracts/events/catalogue.ts';
import { byType, type ByType } from '../../../domain/kit/decider.ts';
import type { Timer } from '../../../domain/kit/timer.ts';
import type { RecordedEvent } from '../../../infra/event-store/client/types.ts';
import type { Priority, WakeUps } from '../../../infra/queue/types.ts';
import { reactionContext, stepContext, type CommandContext } from '../../engine/context.ts';
import { hasKnownType } from '../../engine/recording.ts';

/**
 * Turns events into commands, without state of its own: a reaction's command ids derive from its event, and each command is
 * decided on the stream it changes, so a reaction that is repeated, late or concurrent changes nothing twice.
 */
export interface ProcessManager {
  readonly name: string;
  /** Event types that it handles; the store's subscription is filtered by them. */
  readonly types: readonly string[];
  /**
   * Reactions of one partition run sequentially, in the order of the log: the next begins when the previous one took effect or is
   * parked. Without a partition, reactions run concurrently. A parked reaction is retried late within its partition: a handler
   * that needs order must check the event's position. Called in the order of the log, and again for a parked reaction.
   */
  partition?(event: RecordedEvent): string | undefined;
  /**
   * Called when this host becomes the leader. Another one may have led meanwhile, so cached state is invalid. `parked`: events
   * with parked reactions.
   */
  begin?(parked: readonly RecordedEvent[]): void;
  /**
   * Resolves once the reaction has taken effect. Outside a partition it is called in the order of the log, and runs in that order
   * until its first await.
   */
  handle(event: RecordedEvent): Promise<void>;
}

export interface ProcessDefinition<Event extends DomainEvent, Command> {
  readonly name: string;
  readonly category: Category;
  /** Event types that lead to commands; by default all of the category. */
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
    event.data !== undefined && hasKnownType<Event>(category, event) ? partitionOf?.(event) : undefined,
  handle: async (event) => {
    if (!hasKnownType<Event>(category, event)) return;
    const cause = reactionContext(name, event);
    for (const [index, command] of react(event).entries())
      await perform(command, stepContext(cause, String(index)));
  },
});

/** A process manager with one reaction, to events of some types. */
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

/** Enqueues a wake-up. Not awaited: the sweep makes up for lost ones, and reactions must not wait for a failing queue. */
export function wakeUpAt(
  { wakeUps, logger }: WakingPorts,
  { id, dueAt }: Timer,
  priority: Priority = 'normal',
): Promise<void> {
  wakeUps.schedule(id, new Date(dueAt), priority).catch((error: unknown) => {
    logger.warn({ err: error, timer: id }, 'A wake-up was not scheduled; the next sweep finds the timer.');
  });
  return Promise.resolve();
}
