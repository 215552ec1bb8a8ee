import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { Refusal } from '../../../contracts/problems.ts';
import { type AttemptLimiter, problemHeaders } from '../../http/index.ts';
import { sameSecret } from '../../platform/presented-secrets.ts';
import type { Board } from './board.ts';

export interface QueuePageOptions {
  /** `redis://…` or `postgres://…`. */
  readonly queueUrl: string;
  readonly queues: readonly string[];
  /** Password of the user `operator`. */
  readonly password: string;
  readonly attempts: AttemptLimiter;
  readonly logger: Logger;
}

export type QueuePage = ReturnType<typeof createQueuePage>;

const QUEUE_PAGE_PATH = '/queues';
const USER = 'operator';

type Answer = 'admitted' | { readonly status: number; readonly headers?: Record<string, string> };

const asksForCredential: Answer = {
  status: 401,
  headers: { 'WWW-Authenticate': 'Basic realm="queues", charset="UTF-8"' },
};

/**
 * A read-only view of the queues, which are no source of truth. The page and its connections are loaded by the first
 * authorised request, to save memory in workers without a page.
 */
export function createQueuePage(options: QueuePageOptions) {
  let board: Promise<Board> | undefined;
  const open = async (): Promise<Board> => {
    const { openBoard } = await import('./board.ts');
    return openBoard(options.queueUrl, options.queues, QUEUE_PAGE_PATH, options.logger);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const admission = await admit(request, options);
    if (admission !== 'admitted') return void response.writeHead(admission.status, admission.headers).end();
    board ??= open().catch((error: unknown) => {
      board = undefined;
      throw error;
    });
    const { listener } = await board;
    listener(request, response);
  };

  return {
    listener: (request: IncomingMessage, response: ServerResponse): void => {
      answer(request, response).catch((error: unknown) => {
        options.logger.error({ err: error }, 'The queue page could not be shown.');
        response.writeHead(500).end();
      });
    },
    close: async (): Promise<void> => (await board)?.close(),
  };
}

async function admit(
  { url = '', method, headers, socket }: IncomingMessage,
  { password, attempts }: QueuePageOptions,
): Promise<Answer> {
  if (!/^\/queues(?:[/?]|$)/.test(url)) return { status: 404 };
  const credential = credentialIn(headers.authorization);
  if (credential === undefined) return asksForCredential;
  if (!sameSecret(credential, `${USER}:${password}`)) return refused(attempts, socket.remoteAddress);
  return method === 'GET' || method === 'HEAD'
    ? 'admitted'
    : { status: 405, headers: { Allow: 'GET, HEAD' } };
}

/** Counts the attempt like every other refused credential. */
async function refused(attempts: AttemptLimiter, address = 'unknown'): Promise<Answer> {
  try {
    await attempts.assertAllowed(address);
    await attempts.failed(address);
    return asksForCredential;
  } catch (error) {
    if (!(error instanceof Refusal) || error.slug !== 'rate-limited') throw error;
    return { status: 429, headers: { 'Retry-After': problemHeaders(error)['Retry-After'] ?? '1' } };
  }
}

/** `user:password` in an HTTP Basic header; undefined if there is none. */
function credentialIn(authorization: string | undefined): string | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '') ?? [];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
}
