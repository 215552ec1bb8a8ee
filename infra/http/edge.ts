import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { v7 } from 'uuid';
import { isRequestId, type AccountId } from '../../contracts/ids.ts';
import type { Route } from '../../contracts/routes/index.ts';
import type { RequestFacts } from './types.ts';

/** The edge's state of a response. */
export interface Edge {
  requestId: string;
  /** The matched route of the table. */
  route?: Route;
  /** The account that it acts on, once admitted. */
  accountId?: AccountId;
  /** Set once the handler of a change runs: with an `Idempotency-Key`, or without. */
  mayHaveChanged?: 'keyed' | 'unkeyed' | undefined;
  /** Id of its trace. */
  traceId?: string | undefined;
  /** Start of an endless stream, in milliseconds. */
  openedAt?: number;
}

/** Express types `locals` as any. */
export const edgeOf = (response: Response): Edge => response.locals as Edge;

/** The caller's `X-Request-Id` if valid; else a new one. */
export const requestIdFrom = (header: string | string[] | undefined): string =>
  typeof header === 'string' && isRequestId(header) ? header : `req_${v7()}`;

/** The path of the request, without its query. */
export const pathIn = ({ url = '/' }: Pick<IncomingMessage, 'url'>): string => url.split('?', 1)[0] ?? '/';

const longestUserAgent = 500;

/** The request in the form for handlers. */
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

/** A query parameter that was sent once. */
function queryText({ query }: Request, name: string | undefined): string | null {
  const value = name === undefined ? undefined : query[name];
  return typeof value === 'string' ? value : null;
}
