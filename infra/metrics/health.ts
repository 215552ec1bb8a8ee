import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdFrom } from '../http/edge.ts';
import { within } from '../platform/timeout.ts';
import type { Metrics } from './metrics.ts';

/** Rejects, or does not answer in time, while what it looks at cannot serve. */
export type Check = () => Promise<unknown>;

export interface Health {
  /** Answers `/healthz`, `/readyz` and `/metrics`; false leaves the request to somebody else. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** From now on not ready: the first step of a shutdown. */
  drain(): void;
}

export interface HealthOptions {
  readonly role: string;
  readonly checks: Readonly<Record<string, Check>>;
  readonly metrics: Metrics;
  /** How long one check may take, in milliseconds. */
  readonly checkLimitMs?: number;
}

/** `/healthz`: the process is up. `/readyz`: everything its role needs answers. */
export function createHealth({ role, checks, metrics, checkLimitMs = 2_000 }: HealthOptions): Health {
  let draining = false;
  let asking: Promise<Record<string, string>> | undefined;
  const ask = () =>
    (asking ??= runChecks(checks, checkLimitMs).finally(() => {
      asking = undefined;
    }));

  const pages: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/healthz': async (response) => json(response, 200, { status: 'up', role }),
    '/readyz': async (response) => {
      const failing = draining ? { [role]: 'shutting down' } : await ask();
      const ready = Object.keys(failing).length === 0;
      json(
        response,
        ready ? 200 : 503,
        ready ? { status: 'ready', role } : { status: 'not ready', role, failing },
      );
    },
    '/metrics': async (response) => {
      const { contentType, text } = await metrics.page();
      response.writeHead(200, { 'content-type': contentType }).end(text);
    },
  };

  return {
    handle(request, response) {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const page = isRead ? pages[request.url?.split('?')[0] ?? ''] : undefined;
      if (page === undefined) return false;
      response.setHeader('X-Request-Id', requestIdFrom(request.headers['x-request-id']));
      page(response).catch((error: unknown) =>
        json(response, 500, { status: 'failed', error: String(error) }),
      );
      return true;
    },
    drain() {
      draining = true;
    },
  };
}

async function runChecks(
  checks: Readonly<Record<string, Check>>,
  limitMs: number,
): Promise<Record<string, string>> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await complaintOf(check, limitMs)] as const),
  );
  return Object.fromEntries(
    outcomes.flatMap(([name, complaint]) => (complaint === null ? [] : [[name, complaint]])),
  );
}

async function complaintOf(check: Check, limitMs: number): Promise<string | null> {
  try {
    await within(limitMs, check(), () => new Error(`no answer within ${limitMs} ms`));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
