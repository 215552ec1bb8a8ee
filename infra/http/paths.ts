import { routes } from '../../contracts/routes/index.ts';

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

/** What can be done at a path, for `Allow`; empty when the path is unknown. */
export const methodsAt = (path: string): string[] =>
  table.filter((route) => route.pattern.test(path)).map((route) => route.method);
