import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';
import type { RecordedEvent } from '../../infra/event-store/types.ts';
import { reactionCause, stepOf } from '../causes.ts';
import type { CommandContext } from '../context.ts';
import { isKnown } from '../recording.ts';

/**
 * Turns events into commands. It holds no truth: a reaction's command ids derive from its event, and each command is
 * decided on the stream it changes, so a reaction that runs again, or late, or beside another, changes nothing twice.
 */
export interface ProcessManager {
  readonly name: string;
  /** The category of streams it follows. */
  readonly category: string;
  /** Resolves once the reaction has taken effect. */
  handle(event: RecordedEvent): Promise<void>;
}

export interface ProcessDefinition<Event extends DomainEvent, Command> {
  readonly name: string;
  readonly category: Category;
  /** The pure part: what has to follow. */
  readonly react: (event: Event) => readonly Command[];
  readonly perform: (command: Command, context: CommandContext) => Promise<unknown>;
}

export const processManager = <Event extends DomainEvent, Command>({
  name,
  category,
  react,
  perform,
}: ProcessDefinition<Event, Command>): ProcessManager => ({
  name,
  category: category.name,
  handle: async (event) => {
    if (!isKnown<Event>(category, event)) return;
    const cause = reactionCause(name, event);
    for (const [index, command] of react(event).entries())
      await perform(command, stepOf(cause, String(index)));
  },
});
