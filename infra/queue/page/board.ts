import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Queue } from 'bullmq';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { backendFor, type JobQueue } from '../backend.ts';

export type Board = ReturnType<typeof openBoard>;

/** The page only uses its own scripts and styles; external fonts are left out. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

/** Opens the queues for reading and serves their page below `path`. */
export function openBoard(queueUrl: string, names: readonly string[], path: string, logger: Logger) {
  const backend = backendFor(queueUrl);
  const queues = names.map((name) => backend.queue(name, {}));
  for (const queue of queues)
    queue.on('error', (error) =>
      logger.warn({ err: error }, 'The queue page lost its connection to the queue.'),
    );
  const serverAdapter = new Adapter().setBasePath(path);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(whole(queue), { readOnlyMode: true })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Queues' } },
  });
  const app = express();
  app.disable('x-powered-by');
  app.use((_request, response, next) => {
    response.set(headers);
    next();
  });
  app.use(path, serverAdapter.pages());
  return {
    listener: app,
    close: async (): Promise<void> => {
      await Promise.all(queues.map((queue) => queue.disconnect()));
    },
  };
}

/** Types the result of `getRouter`, which is any. */
class Adapter extends ExpressAdapter {
  override setBasePath(path: string): this {
    super.setBasePath(path);
    return this;
  }
  pages(): Express {
    return this.app.disable('x-powered-by');
  }
}

/** The complete BullMQ queue behind the used part, for any backend. */
function whole(queue: JobQueue): Queue {
  if (isWhole(queue)) return queue;
  throw new TypeError('The page shows queues of BullMQ only.');
}

const isWhole = (queue: JobQueue): queue is JobQueue & Queue => queue instanceof Queue;
