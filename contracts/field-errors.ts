import { refuse, type Refusal } from './problems.ts';

export interface FieldError {
  /** JSON pointer into the request: `/body/action/kind`, `/query/limit`, `/headers/idempotency-key`. */
  readonly path: string;
  /** The JSON Schema keyword that failed, or `text`. */
  readonly code: string;
  /** The rule, phrased to follow the field's name (`must be at least 1`). */
  readonly message: string;
}

/** Throws a `Refusal` for invalid fields of a request, with a sentence per field. */
export function invalid(...failures: FieldError[]): Refusal {
  const errors = failures.map(({ path, code, message }) => ({
    path,
    code,
    message: `${nameOf(path)} ${message}.`,
  }));
  return refuse('validation-failed', errors.map(({ message }) => message).join(' '), { errors });
}

/** The readable name of a JSON pointer's target: `action.kind`, `events[0]`, `limit`, `Idempotency-Key`. */
export function nameOf(path: string): string {
  const [part = '', ...keys] = path.split('/').slice(1).map(unescaped);
  if (keys.length === 0) return `The ${part}`;
  if (part === 'headers') return keys.join('/').replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
  return keys.reduce((name, key) => (/^\d+$/.test(key) ? `${name}[${key}]` : `${name}.${key}`));
}

/** One step of a JSON pointer (RFC 6901). */
export const pointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~');
