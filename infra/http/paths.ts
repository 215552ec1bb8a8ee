import type { RequestHandler } from 'express';
import { refuse } from '../../contracts/problems.ts';
import { routes, type Route } from '../../contracts/routes/index.ts';
import { referencePages } from './reference.ts';

const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');

/** A pattern for paths in the table's format, `/v1/sessions/{id}`. */
const pathPattern = (path: string): RegExp => new RegExp(`^${escaped(path).replace(/\{[^}]+\}/g, '[^/]+')}$`);

/** The table's path in express's format: `/v1/sessions/:id`. */
export const expressPath = (path: string): string => path.replace(/\{([^}]+)\}/g, ':$1');

/**
 * The index key that a path shares with its possible routes: the number of segments, and the second one, which is literal in
 * every route. So a path is compared with only a few routes.
 */
export function groupOf(path: string): string {
  const segments = path.split('/');
  return `${segments.length} ${segments[2] ?? ''}`;
}

type Compared = Route & { readonly pattern: RegExp };
const table = new Map<string, Compared[]>();
for (const route of routes) {
  if (route.path.split('/')[2]?.includes('{')) throw new Error(`${route.path} has no noun.`);
  const group = groupOf(route.path);
  table.set(group, [...(table.get(group) ?? []), { ...route, pattern: pathPattern(route.path) }]);
}

const literalPaths: ReadonlySet<string> = new Set(
  routes.map(({ path }): string => path).filter((path) => !path.includes('{')),
);

/** True if the route matches the path. A literal path of the table is never an id of a parameterised one. */
export const isAt = ({ path: form }: Pick<Route, 'path'>, path: string): boolean =>
  form === path || !literalPaths.has(path);

/** The routes of a path, of any method. */
const routesAt = (path: string): readonly Route[] =>
  (table.get(groupOf(path)) ?? []).filter((route) => isAt(route, path) && route.pattern.test(path));

/** The route of a request, on either side. That of `HEAD` is the one of `GET`. */
export const routeFor = (method: string, path: string): Route | undefined =>
  routesAt(path).find((route) => route.method === method || (method === 'HEAD' && answersHead(route)));

/**
 * A request target whose path can be decoded. Express refuses one that cannot before any route matches; here it becomes an
 * unknown id, and is refused as such.
 */
export function decodableTarget(target: string): string {
  const [path = '', ...query] = target.split(/(?=\?)/);
  return isDecodable(path) ? target : [path.replaceAll('%', '%25'), ...query].join('');
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Read-only pages outside the table. */
const pages: ReadonlySet<string> = new Set([...referencePages, '/healthz', '/readyz', '/metrics']);

/** HEAD runs the GET handler. Most GET routes of the write side use a browser, or a link of a mail: they do not offer it. */
export const answersHead = ({ method, side, answersHead: onlyReads }: Route): boolean =>
  method === 'GET' && (side === 'read' || onlyReads === true);

/** The methods of a path on both sides, for `Allow`; empty for an unknown path. */
function methodsAt(path: string): string[] {
  if (pages.has(path)) return ['GET', 'HEAD', 'OPTIONS'];
  const methods = routesAt(path).flatMap((route) =>
    answersHead(route) ? [route.method, 'HEAD'] : [route.method],
  );
  return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
}

/** Answers `OPTIONS`, unsupported methods, and unknown paths. */
export const answerUnrouted: RequestHandler = ({ path, method }, response) => {
  const methods = methodsAt(path);
  if (methods.length === 0) throw refuse('not-found');
  response.setHeader('Allow', methods.join(', '));
  if (method === 'OPTIONS') {
    response.status(204).end();
    return;
  }
  // A listed method without a route here is served by the other side.
  if (methods.includes(method)) throw refuse('not-found');
  throw refuse('method-not-allowed', `This path takes ${methods.join(', ')}.`);
};
