/** Sign-in data, given to browsers and never to a model. */
export interface Secret {
  /** Its host, including subdomains, by https; with `http://` in front also by http. */
  readonly site: string;
  /** The sign-in page; default: the active one. */
  readonly url?: string;
  readonly username?: string;
  readonly password?: string;
  readonly otp?: string;
}

export interface Secrets {
  find(name: string): Secret | undefined;
  /** Only the names. */
  readonly names: readonly string[];
}

export const noSecrets: Secrets = { find: () => undefined, names: [] };

const prefix = 'SERVICE_SECRET_';
const fields = ['site', 'url', 'username', 'password', 'otp'] as const;

/**
 * The secrets of an environment: `SERVICE_SECRET_SHOP` is `shop`, as JSON with `site` and the texts to type. Throws for an
 * invalid one, without its value in the message.
 */
export function secretsIn(environment: Readonly<Record<string, string | undefined>>): Secrets {
  const all = Object.entries(environment).flatMap(([key, text]): [string, Secret][] =>
    key.startsWith(prefix) && text !== undefined
      ? [[key.slice(prefix.length).toLowerCase(), secretOf(key, text)]]
      : [],
  );
  const byName = new Map(all);
  return { find: (name) => byName.get(name.toLowerCase()), names: [...byName.keys()] };
}

function secretOf(key: string, text: string): Secret {
  const given = parsed(text);
  const isSound =
    given !== undefined &&
    typeof given.site === 'string' &&
    given.site !== '' &&
    Object.entries(given).every(
      ([name, value]) => fields.some((each) => each === name) && typeof value === 'string',
    );
  if (!isSound)
    throw new Error(`${key} must be JSON with "site" and texts among ${fields.slice(1).join(', ')}.`);
  return given as unknown as Secret;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = attempt<unknown>(() => JSON.parse(text));
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/**
 * Whether a URL belongs to the secret's site: a look-alike page gets nothing. The same rule as for `site` of a login.
 */
export function isOfSite(url: string, site: string): boolean {
  const page = attempt(() => new URL(url));
  if (page === undefined) return false;
  const { hostname, protocol } = page;
  const isPlain = site.startsWith('http://');
  const host = site.replace(/^https?:\/\//, '').toLowerCase();
  const isSafe = protocol === 'https:' || (isPlain && protocol === 'http:');
  return isSafe && (hostname === host || hostname.endsWith(`.${host}`));
}
