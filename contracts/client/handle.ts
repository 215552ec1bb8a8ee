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

/**
 * Makes handles of resources: their fields, and methods that `build` gives for one, made when one of them is first asked for. The fields
 * alone are seen by who copies a handle, or writes it as JSON.
 */
export function handles<Fields extends object, Methods extends { end(): PromiseLike<unknown> }>(
  build: (handle: Fields & Methods) => Methods,
): (fields: Fields) => Fields & Methods {
  const built = new WeakMap<object, Methods>();
  const methodsOf = (handle: Fields & Methods): Methods => {
    const own = built.get(handle) ?? build(handle);
    built.set(handle, own);
    return own;
  };
  const prototype = {};
  const define = (name: PropertyKey, valueOf: (methods: Methods) => unknown): void => {
    Object.defineProperty(prototype, name, {
      get(this: Fields & Methods) {
        return valueOf(methodsOf(this));
      },
    });
  };
  for (const name of Object.keys(build({} as Fields & Methods)))
    define(name, (methods) => methods[name as keyof Methods]);
  // Older platforms have no such symbol.
  const dispose = (Symbol as { readonly asyncDispose?: symbol }).asyncDispose;
  if (dispose !== undefined) define(dispose, (methods) => async () => void (await methods.end()));
  return (fields) => Object.assign(Object.create(prototype) as Fields & Methods, fields);
}
