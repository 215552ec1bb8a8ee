import ipaddr from 'ipaddr.js';
import { parsedUrl } from '../../contracts/url.ts';
import { isTier, tiers, type Tier } from '../../contracts/tiers.ts';
import { isMailAddress } from '../mail/address.ts';
import type { KeyList } from '../platform/key-list.ts';

/** The type of a variable. `parse` returns undefined for an invalid text. */
export interface Kind<T> {
  /** Completes the sentence "It takes …". */
  readonly takes: string;
  readonly parse: (text: string) => T | undefined;
  /** Never shown, not even if invalid. */
  readonly secret?: true;
}

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof MILLISECONDS;
const isUnit = (text: string | undefined): text is Unit => text !== undefined && text in MILLISECONDS;

/** In milliseconds. */
export const duration: Kind<number> = {
  takes: 'a duration with its unit, such as `250ms`, `30s`, `20m`, `24h` or `30d`',
  parse: (text) => {
    const [, amount, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? [];
    return isUnit(unit) ? Number(amount) * MILLISECONDS[unit] : undefined;
  },
};

/** Longest time that a process can wait for: a timer of Node that is to take more than 24.8 days is due at once. */
const longestPause = '24d';

/** In milliseconds. How long a process waits by itself. */
export const pause = (least: string, longest = longestPause): Kind<number> => ({
  takes: `${duration.takes}, from \`${least}\` to \`${longest}\``,
  parse: (text) => {
    const [ms = NaN, from = NaN, to = NaN] = [text, least, longest].map(duration.parse);
    return ms >= from && ms <= to ? ms : undefined;
  },
});

/** In milliseconds, in the given order. */
export const durations: Kind<readonly number[]> = {
  takes: `${duration.takes}; several are separated by commas`,
  parse: (text) => all(items(text), duration.parse),
};

export const integer = (minimum: number, maximum = Number.MAX_SAFE_INTEGER): Kind<number> => ({
  takes:
    maximum === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${minimum}`
      : `a whole number from ${minimum} to ${maximum}`,
  parse: (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    return value >= minimum && value <= maximum ? value : undefined;
  },
});

const BYTES = { MiB: 1024 ** 2, GiB: 1024 ** 3 } as const;

/** In bytes. */
export const size: Kind<number> = {
  takes: 'a size with its unit, such as `512MiB` or `2GiB`',
  parse: (text) => {
    const [, amount, unit] = /^(\d{1,6})(MiB|GiB)$/.exec(text) ?? [];
    return unit === 'MiB' || unit === 'GiB' ? Number(amount) * BYTES[unit] : undefined;
  },
};

export const share: Kind<number> = {
  takes: 'a number from 0 to 1, such as `0.1`',
  parse: (text) => (/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(text) ? Number(text) : undefined),
};

export const port: Kind<number> = {
  takes: 'a TCP port from 0 to 65535; 0 is any free one',
  parse: integer(0, 65_535).parse,
};

export const boolean: Kind<boolean> = {
  takes: '`true` or `false`',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

/**
 * A URL with one of these schemes, which are given without the colon. Kept as text: connection strings lose meaning when
 * re-serialised.
 */
export const url = (...schemes: readonly string[]): Kind<string> => ({
  takes: `an address starting with ${list(schemes.map((scheme) => `\`${scheme}://\``))}`,
  parse: (text) =>
    schemes.some((scheme) => text.startsWith(`${scheme}://`)) && isReadable(text) ? text : undefined,
});

/** An http or https URL to which paths are appended: without its final slashes. */
export const baseUrl: Kind<string> = {
  takes: url('http', 'https').takes,
  parse: (text) => url('http', 'https').parse(text)?.replace(/\/+$/, ''),
};

/** The host of Postgres may be left out. */
const isReadable = (address: string): boolean =>
  !address.includes('#') && parsedUrl(address.replace('@/', '@host/')) !== undefined;

/** Comma-separated. */
export const baseUrls: Kind<readonly string[]> = {
  takes: `${baseUrl.takes}; several are separated by commas`,
  parse: (text) => all(items(text), baseUrl.parse),
};

export const oneOf = <const T extends string>(...values: readonly T[]): Kind<T> => ({
  takes: list(values.map((value) => `\`${value}\``)),
  parse: (text) => values.find((value) => value === text),
});

export const cidrs: Kind<readonly string[]> = {
  takes: 'address ranges such as `127.0.0.0/8,fd00::/8`, separated by commas',
  parse: (text) => all(items(text), (item) => (ipaddr.isValidCIDR(item) ? item : undefined)),
};

export const text: Kind<string> = { takes: 'a text', parse: (value) => value };

/** At least one. */
export const texts: Kind<readonly string[]> = {
  takes: 'texts, separated by commas',
  parse: (value) => (items(value).length > 0 ? items(value) : undefined),
};

export const mailAddress: Kind<string> = {
  takes: 'a mail address such as `service@example.com`',
  parse: (value) => (isMailAddress(value) ? value : undefined),
};

export const path: Kind<string> = { takes: 'a path', parse: (value) => value };

/** At least 32 characters, so that it cannot be guessed. */
export const secret: Kind<string> = {
  takes: 'a secret of at least 32 characters',
  parse: (value) => (value.length >= 32 ? value : undefined),
  secret: true,
};

/** New values use the first; all are accepted. A text with a comma and a too short part is one secret. */
export const secrets: Kind<KeyList<string>> = {
  takes: `${secret.takes}; several are separated by commas, the one for what is new first`,
  parse: (value) => {
    const parts = nonEmpty(items(value));
    if (parts?.every((part) => secret.parse(part) !== undefined)) return parts;
    return secret.parse(value) === undefined ? undefined : [value];
  },
  secret: true,
};

/** A key issued by another service, in any format. */
export const credential: Kind<string> = {
  takes: 'a key without blanks',
  parse: (value) => (/^[!-~]+$/.test(value) ? value : undefined),
  secret: true,
};

/** 32 bytes for AES-256. */
const key256: Kind<Buffer> = {
  takes: '32 bytes in base64',
  parse: (value) => {
    const bytes = Buffer.from(value, 'base64');
    return bytes.length === 32 ? bytes : undefined;
  },
  secret: true,
};

/** New values use the first; all are accepted. */
export const keys256: Kind<KeyList<Buffer>> = {
  takes: `${key256.takes}; several are separated by commas, the one for what is new first`,
  parse: (value) => nonEmpty(all(items(value), key256.parse) ?? []),
  secret: true,
};

/** A URL that may contain a password. */
export const secretUrl = (...schemes: readonly string[]): Kind<string> => ({
  ...url(...schemes),
  takes: `${url(...schemes).takes}, with special characters of a password percent-encoded (\`%23\` for #, \`%2F\` for /, \`%3A\` for :)`,
  secret: true,
});

export interface SearchEngine {
  readonly url: string;
  readonly result: string;
  readonly title: string;
  readonly link: string;
  readonly snippet?: string;
}

/** Engines by name. */
export const searchEngines: Kind<Readonly<Record<string, SearchEngine>>> = {
  takes:
    'a JSON object of engines by name, each `{"url": "https://…?q={query}", "result": …, "title": …, "link": …, "snippet": …}`; ' +
    'all but `url` are CSS selectors, those after `result` within a result, and `snippet` may be left out',
  parse: (value) => {
    const engines = parseJson(value);
    if (!isRecord(engines)) return undefined;
    const entries = Object.entries(engines).map(([name, engine]) =>
      isEngine(engine) ? ([name, engine] as const) : undefined,
    );
    const known = entries.filter((entry) => entry !== undefined);
    return known.length === entries.length ? Object.fromEntries(known) : undefined;
  },
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEngine = (value: unknown): value is SearchEngine =>
  isRecord(value) &&
  ['url', 'result', 'title', 'link'].every((name) => typeof value[name] === 'string') &&
  ['string', 'undefined'].includes(typeof value.snippet);

/** Price ids of the card processor by tier. */
export const cardPrices: Kind<Readonly<Partial<Record<Tier, string>>>> = {
  takes: `a JSON object of price ids by tier, which is one of ${list(tiers.map((tier) => `\`${tier}\``))}`,
  parse: (value) => {
    const prices = parseJson(value);
    return isRecord(prices) && Object.entries(prices).every(isPrice) ? prices : undefined;
  },
};

const isPrice = ([tier, price]: readonly [string, unknown]): boolean =>
  isTier(tier) && typeof price === 'string' && price !== '';

/** A product that gives a tier for some days. */
export interface CryptoProduct {
  readonly cents: number;
  readonly tier: Tier;
  readonly days: number;
}

/** Products by name. */
export const cryptoProducts: Kind<Readonly<Record<string, CryptoProduct>>> = {
  takes:
    'a JSON object of products by name, each `{"cents": 4900, "tier": "api_builder", "days": 30}`, all whole numbers from 1 on',
  parse: (value) => {
    const products = parseJson(value);
    if (!isRecord(products)) return undefined;
    const known = Object.entries(products).flatMap(([name, product]) =>
      isProduct(product) ? [[name, product] as const] : [],
    );
    return known.length === Object.keys(products).length ? Object.fromEntries(known) : undefined;
  },
};

const isProduct = (value: unknown): value is CryptoProduct =>
  isRecord(value) && isCount(value.cents) && isTier(value.tier) && isCount(value.days);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

const items = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function nonEmpty<T>([first, ...rest]: readonly T[]): KeyList<T> | undefined {
  return first === undefined ? undefined : [first, ...rest];
}

function all<T>(texts: readonly string[], parse: (text: string) => T | undefined): readonly T[] | undefined {
  const values = texts.map(parse).filter((value) => value !== undefined);
  return values.length === texts.length ? values : undefined;
}

function list(values: readonly string[]): string {
  return values.length < 2 ? values.join() : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}

export interface Variable<T> {
  readonly kind: Kind<T>;
  /** In the format of the environment. Absent: the variable may be unset. */
  readonly default?: string;
  /** Completes a row of `docs/configuration.md`. */
  readonly description: string;
}

export interface VariableWithDefault<T> extends Variable<T> {
  readonly default: string;
}

export const standard = <T>(kind: Kind<T>, value: string, description: string): VariableWithDefault<T> => ({
  kind,
  default: value,
  description,
});

export const optional = <T>(kind: Kind<T>, description: string): Variable<T> => ({ kind, description });
