import { callOptionNames, type CallOptions } from './options.ts';

/** The other fields of a body, among the options of the call. */
export type Beside<Body, Given extends keyof Body> = Omit<Body, Given> & CallOptions;

/** The operations of one resource, its id given. */
export type Bound<Operations, Names extends keyof Operations> = {
  [Name in Names]: Operations[Name] extends (id: string, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** The arguments of an operation behind the id: its body, and the options of the call that were given beside fields of it. */
export function bodyAndOptions<Body>(first: object, beside: object = {}): [Body, CallOptions] {
  const entries = Object.entries(beside);
  const isOption = ([name]: [string, unknown]): boolean => callOptionNames.has(name);
  const fields = Object.fromEntries(entries.filter((entry) => !isOption(entry)));
  return [{ ...first, ...fields } as Body, Object.fromEntries(entries.filter(isOption))];
}

/** A resource with its operations beside its fields: these alone are seen by who copies it, or writes it as JSON. */
export function withMethods<Fields extends object, Methods extends object>(
  fields: Fields,
  methods: Methods,
  end: () => PromiseLike<unknown>,
): Fields & Methods {
  const handle = { ...fields };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(handle, name, { value });
  // Older platforms have no such symbol.
  const dispose = (Symbol as { readonly asyncDispose?: symbol }).asyncDispose;
  if (dispose !== undefined)
    Object.defineProperty(handle, dispose, { value: async () => void (await end()) });
  return handle as Fields & Methods;
}
