/** A command without its ports. */
type Bound<Commands> = {
  readonly [Name in keyof Commands]: Commands[Name] extends (
    ports: never,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Binds the first argument of all commands, their ports. */
export function bindPorts<
  Ports,
  Commands extends Readonly<Record<string, (ports: Ports, ...rest: never[]) => unknown>>,
>(ports: Ports, commands: Commands): Bound<Commands> {
  const bound = Object.entries(commands).map(([name, command]) => [name, command.bind(undefined, ports)]);
  // `Bound` types each name by its function, which the loop over names cannot.
  return Object.fromEntries(bound) as Bound<Commands>;
}
