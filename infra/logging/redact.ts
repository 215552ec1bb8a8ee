const REDACTED = '[redacted]';
const DEEPEST = 6;

/** Credentials, and what a customer makes a browser type. Compared without case, `_` and `-`. */
const sensitive = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'cookies',
  'setcookie',
  'password',
  'passphrase',
  'otp',
  'secret',
  'token',
  'apikey',
  'credential',
  'credentials',
  'pepper',
  'masterkey',
  'text',
  'fields',
  'localstorage',
]);

const isSensitive = (name: string) => sensitive.has(name.toLowerCase().replaceAll(/[-_]/g, ''));

/** A copy of a log line's fields in which every sensitive one is masked, at any depth. */
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

const apiKey = /\b(svc_live_[A-Za-z0-9]{4})[A-Za-z0-9]{8,}/g;
const passwordInUrl = /(\b[a-z+]+:\/\/[^\s:/@"]*:)[^\s@"]+@/g;
const bearer = /\b(Bearer )[A-Za-z0-9._~+/=-]{8,}/g;

/** The last net: secrets that reached a line inside a message or an address. */
export function maskSecrets(line: string): string {
  return line
    .replace(apiKey, `$1${REDACTED}`)
    .replace(passwordInUrl, `$1${REDACTED}@`)
    .replace(bearer, `$1${REDACTED}`);
}
