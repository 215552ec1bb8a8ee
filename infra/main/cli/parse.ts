import { isIP } from 'node:net';
import { InvalidArgumentError } from 'commander';
import {
  idPrefixes,
  parseId,
  parseProfileId,
  type Id,
  type IdKind,
  type ProfileId,
} from '../../../contracts/ids.ts';
import type { Moment } from '../../../projections/index.ts';
import { baseUrl } from '../../config/kinds.ts';
import { parsePosition } from '../../event-store/client/position.ts';
import { tiers, type Tier } from '../../../contracts/tiers.ts';

/** Parsers of arguments. Their errors say what is accepted; commander prefixes the option's name. */
export const idOf =
  <K extends IdKind>(kind: K) =>
  (text: string): Id<K> =>
    parseId(kind, text) ?? wrong(`Expected an id of the form ${idPrefixes[kind]}_<uuid>.`);

export const profileId = (text: string): ProfileId =>
  parseProfileId(text) ?? wrong('Expected an id of the form prof_<uuid>, or the bare uuid.');

/** ISO 8601; UTC without a zone. */
export const time = (text: string): string =>
  timeIn(text)?.toISOString() ?? wrong('Expected a time such as 2026-01-05T12:00:00Z.');

function timeIn(text: string): Date | undefined {
  const [, date, rest = ''] = /^(\d{4}-\d\d-\d\d)(T.*)?$/.exec(text) ?? [];
  const zoned = rest === '' || /(Z|[+-]\d\d:\d\d)$/.test(rest) ? rest : `${rest}Z`;
  const at = Date.parse(`${date ?? ''}${zoned}`);
  return Number.isNaN(at) || !isDay(date ?? '') ? undefined : new Date(at);
}

/** `Date.parse` takes February 30 for March 2. */
const isDay = (date: string): boolean => new Date(date).toISOString().startsWith(date);

/** A time, or a log position. */
export const moment = (text: string): Moment =>
  parsePosition(text.replace(/%2f/i, '/')) ??
  timeIn(text) ??
  wrong('Expected a time such as 2026-01-05T12:00:00Z, or a position as X-Service-Position has it.');

/** An http or https URL, without its final slashes. */
export const address = (text: string): string => baseUrl.parse(text) ?? wrong(`Expected ${baseUrl.takes}.`);

export function port(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  return number <= 65_535 ? number : wrong('Expected a port, 0 to 65535.');
}

export function tierName(text: string): Tier {
  return tiers.find((each) => each === text) ?? wrong(`Expected one of ${tiers.join(', ')}.`);
}

export function count(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : wrong('Expected a whole number above 0.');
}

export function amount(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : wrong('Expected a whole number.');
}

/** Labels of a name, the first of which may be `*`. Names in other alphabets are written as `xn--…`. */
const hostName = /^(\*\.)?[a-z\d_-]{1,63}(\.[a-z\d_-]{1,63})*$/i;

/** Names and addresses of machines, separated by commas. */
export function hosts(text: string): readonly string[] {
  const named = text
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');
  const strange = named.find((host) => isIP(host) === 0 && !hostName.test(host));
  if (strange === undefined) return named;
  return wrong(`Expected names and addresses such as api-1.internal,10.0.0.11,*.node.svc, not ${strange}.`);
}

/**
 * Characters that XML, JSON or Postgres cannot store: control characters except tabs and line ends, halves of surrogate pairs.
 */
const unstorable = /[\p{Surrogate}\u{fffe}\u{ffff}]|(?![\t\n\r])\p{Cc}/u;

/** Visible text, trimmed. */
export const shownText =
  (longest: number) =>
  (text: string): string => {
    const shown = text.trim();
    if (shown === '' || shown.length > longest)
      return wrong(`Expected a text of at most ${longest} characters.`);
    return unstorable.test(shown) ? wrong('Expected a text without control characters.') : shown;
  };

function wrong(message: string): never {
  throw new InvalidArgumentError(message);
}
