interface BuiltEvent {
  readonly type: string;
  readonly data: object;
}
type EventData<Event extends BuiltEvent, Type extends Event['type']> = Extract<Event, { type: Type }>['data'];
type CommandFields<Command extends { type: string }, Type extends Command['type']> = Omit<
  Extract<Command, { type: Type }>,
  'type'
>;

export type EventBuilders<Event extends BuiltEvent> = {
  readonly [Type in Event['type']]: (
    data?: Partial<EventData<Event, Type>>,
  ) => Extract<Event, { type: Type }>;
};
export type CommandBuilders<Command extends { type: string }> = {
  readonly [Type in Command['type']]: (
    fields?: Partial<CommandFields<Command, Type>>,
  ) => Extract<Command, { type: Type }>;
};

/**
 * One builder per event type, each taking the fields of interest and defaulting the rest: `eventBuilders<SessionEvent>({
 * SessionReady: { sessionId, at } }).SessionReady({ at })`.
 */
export function eventBuilders<Event extends BuiltEvent>(defaults: {
  readonly [Type in Event['type']]: EventData<Event, Type>;
}): EventBuilders<Event> {
  return build(defaults, (type, usual, data) => ({ type, data: { ...usual, ...data } }));
}

/** The same for commands, whose fields are beside their `type`. */
export function commandBuilders<Command extends { type: string }>(defaults: {
  readonly [Type in Command['type']]: CommandFields<Command, Type>;
}): CommandBuilders<Command> {
  return build(defaults, (type, usual, fields) => ({ type, ...usual, ...fields }));
}

/** The mapped types declare what each builder returns; a loop over names cannot express that, hence the cast. */
function build<Builders>(
  defaults: object,
  make: (type: string, usual: object, changes: object) => object,
): Builders {
  const builders = Object.entries(defaults).map(([type, usual]) => [
    type,
    (changes: object = {}) => make(type, usual as object, changes),
  ]);
  return Object.fromEntries(builders) as Builders;
}
