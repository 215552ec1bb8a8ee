import type { RequestHandler } from 'express';
import { refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { routesAt } from './paths.ts';
import { referencePages } from './reference.ts';

/** Beside the table, and only to be looked at. */
const pages: ReadonlySet<string> = new Set([...referencePages, '/healthz', '/readyz', '/metrics']);

/** HEAD runs what GET runs, so it is offered only where that changes nothing: one GET claims a browser. */
export const answersHead = ({ method, side }: Route): boolean => method === 'GET' && side === 'read';

/** What can be done at a path, on whichever side, for `Allow`; empty when the path is unknown. */
export function methodsAt(path: string): string[] {
  if (pages.has(path)) return ['GET', 'HEAD', 'OPTIONS'];
  const methods = routesAt(path).flatMap((route) =>
    answersHead(route) ? [route.method, 'HEAD'] : [route.method],
  );
  return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
}

/** Answers `OPTIONS`, a method that its path does not take, and a path that nothing is served at. */
export const withoutRoute: RequestHandler = ({ path, method }, response) => {
  const methods = methodsAt(path);
  if (methods.length === 0) throw refuse('not-found');
  response.setHeader('Allow', methods.join(', '));
  if (method === 'OPTIONS') {
    response.status(204).end();
    return;
  }
  // What is taken here, and yet had no route, is served by the other side.
  if (methods.includes(method)) throw refuse('not-found');
  throw refuse('method-not-allowed', `This path takes ${methods.join(', ')}.`);
};
