import { routes, type Route } from '../../contracts/routes/index.ts';

const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');

/** Matches what the table's path form `/v1/sessions/{id}` matches. */
export const pathPattern = (path: string): RegExp =>
  new RegExp(`^${escaped(path).replace(/\{[^}]+\}/g, '[^/]+')}$`);

/** The table's path as express writes it: `/v1/sessions/:id`. */
export const expressPath = (path: string): string => path.replace(/\{([^}]+)\}/g, ':$1');

const table = routes.map((route) => ({ ...route, pattern: pathPattern(route.path) }));

/** The route that a request is for, on whichever side it is served. */
export const routeFor = (method: string, path: string) =>
  table.find((route) => route.method === method && route.pattern.test(path));

/** The routes of a path, whatever their method. */
export const routesAt = (path: string): readonly Route[] => table.filter((route) => route.pattern.test(path));

/**
 * A request target whose path decodes. Express refuses one that does not before any route is asked; like this it is an
 * id that nobody has, and is refused where every such id is.
 */
export function decodable(target: string): string {
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
