import { routes, type Route } from '../../contracts/routes/index.ts';
import type { TSchema } from '../../contracts/schema.ts';
import { declaredFields } from '../../infra/http/unknown-fields.ts';

const bodies = new Map<string, TSchema | undefined>(routes.map((route: Route) => [route.id, route.body]));

/** The fields of a body that the route declares; the others are ignored. */
export function declared(route: string, body: unknown): Readonly<Record<string, unknown>> {
  const names = declaredFields(bodies.get(route));
  return Object.fromEntries(Object.entries({ ...(body ?? {}) }).filter(([name]) => names.has(name)));
}
