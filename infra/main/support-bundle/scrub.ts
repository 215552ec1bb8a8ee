/** Scrubs a text that may contain a customer's words: addresses of people and machines, and quoted parts. */
export const scrubbed = (text: string): string =>
  forms.reduce((rest, [form, instead]) => rest.replace(form, instead), text);

const forms: readonly (readonly [RegExp, string])[] = [
  [/[^\s"'<>()]+@[^\s"'<>()]+/g, '[address]'],
  [/\b[a-z][a-z+]*:\/\/[^\s"'<>)]+/gi, '[url]'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '[ip]'],
  [/"[^"]*"?|'[^']*'?|`[^`]*`?|«[^»]*»?|“[^”]*”?/g, '"…"'],
  [/\([^()]*\)/g, '(…)'],
];

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** Ids issued by the service; a request's id is shown only in that format, because clients may choose it. */
const id = new RegExp(`^(?:[a-z_]{2,20}[-_])?${uuid}(?:-\\d+)?$|^[0-9a-f]{32}$`);
const timer = new RegExp(`^[a-z_]+-[a-z]{3}_${uuid}$`);

/** Fields with closed sets of values, defined by the code. */
const closed = new Set([
  ...['level', 'role', 'route', 'method', 'process', 'event_type', 'projection', 'sweep', 'kind', 'part'],
  ...['cause', 'side', 'component', 'outcome', 'code', 'type', 'operation', 'action', 'from', 'to', 'spec'],
]);
const word = /^[\w.:-]{1,64}$/;

/**
 * A log line without texts that might be a customer's: keeps ids, values of closed sets, times, and of errors the class, code and
 * positions in the code. Undefined for a line in another format.
 */
export function scrubbedLine(line: string): string | undefined {
  const fields = parsed(line);
  if (fields === undefined) return undefined;
  const { msg, err, ...others } = fields;
  const kept = Object.entries(others).filter(([name, value]) => isPlain(name, value));
  return JSON.stringify({
    ...Object.fromEntries(kept),
    ...(typeof msg === 'string' && { msg: scrubbed(msg) }),
    ...(isRecord(err) && { err: scrubbedError(err) }),
  });
}

function isPlain(name: string, value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return true;
  if (typeof value !== 'string') return false;
  if (name === 'time') return !Number.isNaN(Date.parse(value));
  return id.test(value) || timer.test(value) || (closed.has(name) && word.test(value));
}

function scrubbedError({ type, code, stack, cause }: Record<string, unknown>): unknown {
  return {
    ...(typeof type === 'string' && word.test(type) && { type }),
    ...(typeof code === 'string' && word.test(code) && { code }),
    ...(typeof stack === 'string' && { at: stack.split('\n').flatMap((line) => placeIn(line) ?? []) }),
    ...(isRecord(cause) && { cause: scrubbedError(cause) }),
  };
}

/** A stack frame. A message may contain similar lines, so the format is matched strictly. */
const placeIn = (line: string): string | undefined =>
  /^ {4}at (?:[\w.$<>[\] #]{1,120} \()?((?:file:\/\/|node:)?[\w./@:+-]{1,300}:\d+:\d+)\)?$/.exec(line)?.[1];

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
