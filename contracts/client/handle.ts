import { callOptionNames, type CallOptions } from './options.ts';

/** The other fields of a body, merged with the call options. */
export type Beside<Body, Given extends keyof Body> = Omit<Body, Given> & CallOptions;

/** The operations of one resource, with its id bound. */
export type Bound<Operations, Names extends keyof Operations> = {
  [Name in Names]: Operations[Name] extends (id: string, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Splits arguments behind the id into the body and the call options that were merged with its fields. */
export function bodyAndOptions<Body>(first: object, beside: object = {}): [Body, CallOptions] {
  const entries = Object.entries(beside);
  const isOption = ([name]: [string, unknown]): boolean => callOptionNames.has(name);
  const fields = Object.fromEntries(entries.filter((entry) => !isOption(entry)));
  return [{ ...first, ...fields } as Body, Object.fromEntries(entries.filter(isOption))];
}

/**
 * Sets the fields. A field that a newer service names like a method of the handle is left out, as is one that would replace its
 * methods.
 */
export function setFields<Handle extends object>(handle: Handle, fields: object): Handle {
  const methods = Object.getPrototypeOf(handle) as object;
  for (const name of Object.keys(fields)) {
    if (name === '__proto__' || Object.hasOwn(methods, name)) continue;
    handle[name as keyof Handle] = fields[name as keyof object];
  }
  return handle;
}

/**
 * Makes handles of resources: their fields, and methods from `build`, created on first use. Only the fields are enumerable, for
 * copies and JSON.
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
  // Undefined on older platforms.
  const dispose = (Symbol as { readonly asyncDispose?: symbol }).asyncDispose;
  if (dispose !== undefined) define(dispose, (methods) => async () => void (await methods.end()));
  return (fields) => setFields(Object.create(prototype) as Fields & Methods, fields);
}
