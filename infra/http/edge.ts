import type { Request, Response } from 'express';
import { v7 } from 'uuid';
import { isRequestId, type AccountId } from '../../contracts/ids.ts';
import type { Route } from '../../contracts/routes/index.ts';
import type { RequestFacts } from './types.ts';

/** The edge's state of a response. */
export interface Edge {
  requestId: string;
  /** Of the table, once one has matched. */
  route?: Route;
  /** The account that it acts on, once it is admitted. */
  accountId?: AccountId;
  /** Where it is traced. */
  traceId?: string | undefined;
  /** When a stream began that is answered for as long as it is read, milliseconds. */
  openedAt?: number;
}

/** Express types its `locals` as anything; here they have a shape. */
export const edgeOf = (response: Response): Edge => response.locals as Edge;

/** A caller's own `X-Request-Id` when it has the form of one; else a new one. */
export const requestIdFrom = (header: string | string[] | undefined): string =>
  typeof header === 'string' && isRequestId(header) ? header : `req_${v7()}`;

const longestUserAgent = 500;

/** The request as handlers see it. */
export function factsOf(route: Route, req: Request, res: Response): RequestFacts {
  const header = (name: string) => {
    const value = req.headers[name.toLowerCase()];
    return typeof value === 'string' ? value : value?.join(', ');
  };
  return {
    id: edgeOf(res).requestId,
    operation: route.id,
    ungated: route.ungated ?? [],
    role: route.role,
    ip: req.ip ?? null,
    userAgent: header('user-agent')?.slice(0, longestUserAgent) ?? null,
    idempotencyKey: (route.idempotencyKey && header('idempotency-key')) ?? null,
    credentialInQuery: queryText(req, route.credentialInQuery),
    header,
  };
}

/** A parameter that was sent once. */
function queryText({ query }: Request, name: string | undefined): string | null {
  const value = name === undefined ? undefined : query[name];
  return typeof value === 'string' ? value : null;
}
