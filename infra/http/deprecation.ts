import type { Response } from 'express';
import { deprecationHeaders, deprecationsOf, type Deprecation } from '../../contracts/deprecations.ts';
import type { Route } from '../../contracts/routes/index.ts';
import type { Identity } from './types.ts';

export interface DeprecationOptions {
  /** Default: the registry of the contract. */
  readonly deprecations?: readonly Deprecation[] | undefined;
  /** Called for every use of a deprecated route or field. Must return quickly. */
  readonly onDeprecatedUse?: ((accountId: Identity['actorId'], deprecationId: string) => void) | undefined;
}

/** The deprecation handling of a route; undefined if it has none, at no cost for its requests. */
export function deprecationOf(route: Route, { deprecations, onDeprecatedUse }: DeprecationOptions) {
  const entries = deprecationsOf(route, deprecations);
  const headers = deprecationHeaders(entries);
  if (headers === undefined) return undefined;
  return {
    /** Sets the headers, whatever the answer. */
    announce: (response: Response): void => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    },
    /** Records the use of the route, and of request fields that are present. */
    record: (caller: Identity | null, body: unknown): void => {
      if (caller === null || onDeprecatedUse === undefined) return;
      for (const { id, field } of entries)
        if (field?.in !== 'request' || hasField(body, field.name)) onDeprecatedUse(caller.actorId, id);
    },
  };
}

const hasField = (body: unknown, name: string): boolean =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, name);
