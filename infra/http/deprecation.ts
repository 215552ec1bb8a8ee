import type { Response } from 'express';
import { deprecationHeaders, deprecationsOf, type Deprecation } from '../../contracts/deprecations.ts';
import type { Route } from '../../contracts/routes/index.ts';
import type { Identity } from './types.ts';

export interface DeprecationOptions {
  /** What is deprecated; by default, the registry of the contract. */
  readonly deprecations?: readonly Deprecation[] | undefined;
  /** Called for every use of what is deprecated. It must not take long. */
  readonly onDeprecatedUse?: ((accountId: Identity['actorId'], deprecationId: string) => void) | undefined;
}

/** What a route does about its deprecations; undefined, and no work for any request, where it has none. */
export function deprecationOf(route: Route, { deprecations, onDeprecatedUse }: DeprecationOptions) {
  const entries = deprecationsOf(route, deprecations);
  const headers = deprecationHeaders(entries);
  if (headers === undefined) return undefined;
  return {
    /** Whatever the answer will be. */
    announce: (response: Response): void => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    },
    /** A field of the request is used by who sends it. */
    record: (caller: Identity | null, body: unknown): void => {
      if (caller === null || onDeprecatedUse === undefined) return;
      for (const { id, field } of entries)
        if (field?.in !== 'request' || hasField(body, field.name)) onDeprecatedUse(caller.actorId, id);
    },
  };
}

const hasField = (body: unknown, name: string): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name);
