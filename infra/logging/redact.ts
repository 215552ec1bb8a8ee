import { markedSecrets, type MarkedSecret, unmarkedSecrets } from '../../contracts/secret-forms.ts';

const REDACTED = '[redacted]';
const DEEPEST = 6;

/** Names of credentials, with any prefix (`refresh_token`). Compared without case, `_` and `-`. */
const credential =
  /(authorization|cookies?|password|passphrase|otp|secret|token|apikey|credentials?|pepper|masterkey|(recovery|user|device)codes?|otpauthuri)$/;
/** Texts typed into a browser for a customer. */
const typed = /^(text|fields|localstorage)$/;

function isSensitive(name: string): boolean {
  const word = name.toLowerCase().replaceAll(/[-_]/g, '');
  return credential.test(word) || typed.test(word);
}

/** A copy of a log line's fields with every sensitive one masked, at any depth. */
export function withoutSensitiveFields(fields: Record<string, unknown>): Record<string, unknown> {
  return maskObject(fields, 0);
}

function maskObject(value: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      isSensitive(name) ? REDACTED : mask(field, depth + 1),
    ]),
  );
}

function mask(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date)
    return value;
  if (depth > DEEPEST) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => mask(item, depth + 1));
  return maskObject(value, depth);
}

const marked = Object.values<MarkedSecret>(markedSecrets).map(
  ({ marker, alphabet, shown = 0 }) => new RegExp(`(${marker}${alphabet}{${shown}})${alphabet}{8,}`, 'g'),
);
const unmarked = new RegExp(Object.values(unmarkedSecrets).join('|'), 'g');
const passwordInUrl = /(\b[a-z+]+:\/\/[^\s:/@"]*:)[^\s@"]+@/g;
const bearer = /\b(Bearer )[A-Za-z0-9._~+/=-]{8,}/g;

/** The last safeguard: masks secrets in messages or URLs, by format, and the `known` ones. */
export function secretsMask(known: readonly string[]): (line: string) => string {
  // In JSON's encoding.
  const values = known.map((value) => JSON.stringify(value).slice(1, -1)).sort((a, b) => b.length - a.length);
  return (line) => values.reduce((rest, value) => rest.replaceAll(value, REDACTED), byForm(line));
}

const byForm = (line: string): string =>
  marked
    .reduce((rest, form) => rest.replace(form, `$1${REDACTED}`), line)
    .replace(unmarked, REDACTED)
    .replace(passwordInUrl, `$1${REDACTED}@`)
    .replace(bearer, `$1${REDACTED}`);
