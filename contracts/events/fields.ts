/** The value at a path of an event's data, such as `changes.name`; undefined if there is none. */
export const fieldAt = (data: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), data);

/** The data with another value at the path; unchanged if the path does not exist. */
export function withField(data: unknown, path: string, value: unknown): unknown {
  const [name = '', ...rest] = path.split('.');
  if (!isObject(data) || !Object.hasOwn(data, name)) return data;
  return { ...data, [name]: rest.length === 0 ? value : withField(data[name], rest.join('.'), value) };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
