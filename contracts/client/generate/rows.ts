import type { Route } from '../../route.ts';

/** Operations that claim a browser; never retried. */
const isDriver = ({ id, side, path }: Route): boolean =>
  id.startsWith('sessions.') && side === 'write' && path.startsWith('/v1/sessions/{id}/');

/** Writes that the contract declares idempotent. */
const repeatable: ReadonlySet<string> = new Set([
  'sessions.destroy',
  'agent-sessions.close',
  'profiles.trash-one',
]);

const typesOf = ({ success }: Route): readonly string[] =>
  (success.contentType ?? 'application/json').split(', ');

/** Routes with a stream whose method reads pages. */
const givesPages: ReadonlySet<string> = new Set(['events.list']);

export const givesEvents = ({ id, lasts }: Route): boolean => lasts === 'endless' && !givesPages.has(id);

/** How the answer is parsed: as JSON if that is one of its types. */
export function formOf(route: Route): 'json' | 'text' | 'bytes' {
  const types = typesOf(route);
  if (types.includes('application/json')) return 'json';
  return types.some((type) => /^text\/|xml$|ndjson$/.test(type)) ? 'text' : 'bytes';
}

/** The query field of a list's cursor. */
export function cursorOf(route: Route): 'cursor' | 'after' | undefined {
  const { body } = route.success;
  const isPage = body !== null && 'properties' in body && 'next_cursor' in (body.properties as object);
  if (!isPage || givesEvents(route)) return undefined;
  return 'cursor' in (route.query ?? {}) ? 'cursor' : 'after';
}

/** A row in the format that `operationOf` in `../operation.ts` parses. */
export function rowOf(route: Route): string {
  const letters = {
    b: route.body !== undefined,
    w: route.raw !== undefined,
    c: cursorOf(route) === 'cursor',
    a: cursorOf(route) === 'after',
    t: formOf(route) === 'text' && !givesEvents(route),
    y: formOf(route) === 'bytes' && !givesEvents(route),
    e: givesEvents(route),
    k: route.idempotencyKey === true,
    i: route.method === 'PUT' || repeatable.has(route.id),
    d: isDriver(route),
    r: route.side === 'read' && route.scopes !== null,
  };
  const had = Object.entries(letters).flatMap(([letter, isSo]) => (isSo ? [letter] : []));
  return [route.method, route.path, had.join('')].filter((part) => part !== '').join(' ');
}
