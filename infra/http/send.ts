import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Refusal } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { positionText } from '../event-store/client/position.ts';
import { edgeOf } from './edge.ts';
import { eventStreamType } from './event-stream.ts';
import { problemBody, problemHeaders } from './problem.ts';
import type { CheckReply } from './reply-check.ts';
import type { Reply } from './types.ts';

interface SenderOptions {
  readonly errorsBase: string;
  readonly check: CheckReply;
}

async function writeBody(response: Response, body: unknown): Promise<void> {
  if (body === null) response.end();
  else if (body instanceof Readable && response.req.method === 'HEAD') {
    body.destroy();
    response.end();
  } else if (body instanceof Readable) await pipeline(body, response);
  else response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

const isEndless = (route: Route, headers: NonNullable<Reply['headers']>): boolean =>
  route.lasts === 'endless' && headers['Content-Type'] === eventStreamType;

/** Writes handlers' results and refusals in one format. */
export const sender = ({ errorsBase, check }: SenderOptions) => ({
  async reply(response: Response, route: Route, reply: Reply): Promise<void> {
    const { status = route.success.status, body = null, headers = {}, cookies, position } = reply;
    const contentType = status >= 400 ? 'application/problem+json' : 'application/json';
    await check(route, status, contentType, body);
    response.status(status);
    const ready = typeof body === 'string' || body instanceof Readable;
    if (body !== null && !ready) response.setHeader('Content-Type', contentType);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (cookies) response.setHeader('Set-Cookie', cookies);
    if (isEndless(route, headers)) edgeOf(response).openedAt = performance.now();
    if (position) response.setHeader('X-Service-Position', positionText(position));
    await writeBody(response, body);
  },

  async problem(response: Response, refusal: Refusal): Promise<void> {
    const body = problemBody(refusal, { errorsBase, requestId: edgeOf(response).requestId });
    const { route } = edgeOf(response);
    if (route) await check(route, body.status, 'application/problem+json', body);
    response.status(body.status);
    for (const [name, value] of Object.entries(problemHeaders(refusal))) response.setHeader(name, value);
    response.end(JSON.stringify(body));
  },
});
