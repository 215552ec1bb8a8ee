import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from '../../contracts/problems.ts';
import { pathIn, requestIdFrom } from '../http/edge.ts';
import { writeProblem } from '../http/problem.ts';
import { messageOf } from '../platform/error-message.ts';
import { within } from '../platform/timeout.ts';
import { isInsider } from './insiders.ts';
import type { Metrics } from './metrics.ts';

/** Rejects, or exceeds its timeout, if the checked part cannot serve. */
export type Check = () => Promise<unknown>;

export interface Health {
  /** Answers `/healthz`, `/readyz` and `/metrics`; returns false for any other path. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Makes it not ready, as the first step of a shutdown. */
  drain(): void;
}

export interface HealthOptions {
  readonly role: string;
  readonly checks: Readonly<Record<string, Check>>;
  /** Reported by `/readyz` as degraded if rejected, although the role serves. */
  readonly degradations?: Readonly<Record<string, Check>> | undefined;
  readonly metrics: Metrics;
  /** Problem types are `<errorsBase>/<slug>`. */
  readonly errorsBase: string;
  /** Gives other machines the same details as callers on this machine. */
  readonly token?: string | undefined;
  /** Timeout of one check, in milliseconds. */
  readonly checkLimitMs?: number;
}

/**
 * `/healthz`: the process is running. `/readyz`: everything that its role requires answers. Callers on this machine, and those
 * with the token, also get the failing and degraded checks, and `/metrics`.
 */
export function createHealth(options: HealthOptions): Health {
  const { role, checks, degradations = {}, token, checkLimitMs = 2_000 } = options;
  let draining = false;
  let asking: Promise<Failing> | undefined;
  const failing = async () =>
    draining
      ? { [role]: 'shutting down' }
      : await (asking ??= runChecks(checks, checkLimitMs).finally(() => {
          asking = undefined;
        }));
  const pages = createPages(options, failing, () => runChecks(degradations, checkLimitMs));

  return {
    handle(request, response) {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const page = isRead ? pages[pathIn(request)] : undefined;
      if (page === undefined) return false;
      const caller = {
        requestId: requestIdFrom(request.headers['x-request-id']),
        mayLookInside: isInsider(request, token),
      };
      response.setHeader('X-Request-Id', caller.requestId);
      page(response, caller).catch((error: unknown) =>
        json(response, 500, { status: 'failed', ...(caller.mayLookInside && { error: String(error) }) }),
      );
      return true;
    },
    drain() {
      draining = true;
    },
  };
}

/** Failures by name of the check. */
type Failing = Readonly<Record<string, string>>;

interface Caller {
  readonly requestId: string;
  readonly mayLookInside: boolean;
}
type Page = (response: ServerResponse, caller: Caller) => Promise<void>;

const createPages = (
  { role, metrics, errorsBase }: HealthOptions,
  ask: () => Promise<Failing>,
  askDegraded: () => Promise<Failing>,
): Readonly<Record<string, Page>> => ({
  '/healthz': async (response) => json(response, 200, { status: 'up', role }),
  '/readyz': async (response, { mayLookInside }) => {
    const failing = await ask();
    const ready = Object.keys(failing).length === 0;
    const degraded = ready && mayLookInside ? await askDegraded() : {};
    json(response, ready ? 200 : 503, {
      status: ready ? 'ready' : 'not ready',
      ...(mayLookInside && { role, ...(!ready && { failing }) }),
      ...(Object.keys(degraded).length > 0 && { degraded }),
    });
  },
  '/metrics': async (response, { mayLookInside, requestId }) => {
    if (!mayLookInside) return writeProblem(response, notForStrangers(), { errorsBase, requestId });
    const { contentType, text } = await metrics.page();
    response.writeHead(200, { 'content-type': contentType }).end(text);
  },
});

const notForStrangers = () =>
  refuse(
    'unauthorized',
    'Metrics are for callers on this machine, and for those that send METRICS_TOKEN as Authorization: Bearer.',
  );

async function runChecks(checks: Readonly<Record<string, Check>>, limitMs: number): Promise<Failing> {
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
    return messageOf(error);
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
