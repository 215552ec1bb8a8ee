import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';
import type { EventMetadata } from '../../contracts/events/metadata.ts';
import type { EventToAppend, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { trustedSchemaOptions } from '../../infra/platform/trusted-schema-options.ts';
import { uuidV5 } from '../../infra/platform/uuid-v5.ts';
import { traceparent } from '../../infra/tracing/index.ts';
import type { CommandContext } from './context.ts';

/**
 * The id of a command's event by its index in the decision and its type, known before the command has run. The type is in it
 * because the store compares ids only: of two different decisions of one command, the second must not count as stored.
 */
export const eventIdOf = (
  { commandId }: Pick<CommandContext, 'commandId'>,
  index: number,
  type: DomainEvent['type'],
): string => uuidV5(`${index} ${type}`, commandId);

/** The id that earlier releases gave the event. */
export const untypedEventIdOf = ({ commandId }: Pick<CommandContext, 'commandId'>, index: number): string =>
  uuidV5(String(index), commandId);

/**
 * The events of one command in their stored form. Their ids derive from the command's id, their index and their type, so that a
 * repeated command appends the same ids. Throws `InvalidEvent` if one does not match its schema. `contextOf`: the context in an event's
 * metadata, by default the command's.
 */
export const toAppend = <Event extends DomainEvent>(
  category: Category,
  events: readonly Event[],
  context: CommandContext,
  contextOf: (event: Event) => CommandContext = () => context,
): readonly EventToAppend[] =>
  events.map((event, index) => {
    validateEvent(category, event);
    return {
      id: eventIdOf(context, index, event.type),
      type: event.type,
      data: event.data,
      metadata: metadataOf(category, event, contextOf(event)),
    };
  });

function metadataOf(category: Category, { type, data }: DomainEvent, context: CommandContext): EventMetadata {
  const { correlationId, causationId, by, actor, requestId, ip, userAgent } = context;
  const madeIn = traceparent();
  return {
    correlation_id: correlationId,
    causation_id: causationId,
    actor,
    occurred_at: occurredAt(type, data),
    schema_version: category.versions[type] ?? 1,
    request_id: requestId,
    by,
    ...(ip !== undefined && { ip }),
    ...(userAgent !== undefined && { user_agent: userAgent }),
    ...(madeIn !== undefined && { traceparent: madeIn }),
  };
}

function occurredAt(type: string, data: unknown): string {
  if (typeof data === 'object' && data !== null && 'at' in data && typeof data.at === 'string')
    return data.at;
  throw new Error(`${type} does not say when it happened: every event's data has \`at\``);
}

/**
 * True if the rule knows the stored event's type. Unknown types are newer than this process and are skipped; throws for data that
 * is not JSON, because any state decided on without it would be wrong.
 */
export function hasKnownType<Event extends DomainEvent>(
  category: Category,
  event: RecordedEvent,
): event is RecordedEvent & Event {
  if (!Object.hasOwn(category.types, event.type)) return false;
  if (event.data === undefined)
    throw new Error(`${event.stream} has unreadable data at revision ${event.revision}`);
  return true;
}

/** An event that does not match its schema: a bug of the rule. Nothing of its command was stored. */
export class InvalidEvent extends Error {
  constructor(category: Category, type: string, reason: string) {
    super(`${category.name} made an event ${type} that its contract does not allow: ${reason}`);
    this.name = 'InvalidEvent';
  }
}

const ajv = new Ajv(trustedSchemaOptions);
addFormats.default(ajv);

const compiled = new WeakMap<object, ValidateFunction>();

/** Throws `InvalidEvent` unless the category has the type, still writes it, and the data matches its schema. */
export function validateEvent(category: Category, { type, data }: DomainEvent): void {
  const schema = Object.hasOwn(category.types, type) ? category.types[type] : undefined;
  if (schema === undefined) throw new InvalidEvent(category, type, 'the category has no such type');
  if (category.retired.includes(type)) throw new InvalidEvent(category, type, 'it is retired');
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  if (!validate(data)) throw new InvalidEvent(category, type, ajv.errorsText(validate.errors));
}
