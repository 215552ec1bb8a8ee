import type { RequestListener } from 'node:http';
import { refuse } from '../../contracts/problems.ts';
import { listen, requestIdFrom, writeProblem, type Listening } from '../http/index.ts';
import type { Health } from '../metrics/index.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly errorsBase: string;
  readonly health: Health;
  /** Everything that is not health or metrics; 404 when absent. */
  readonly app?: RequestListener;
  /** Ends the answers that would go on for ever. */
  readonly drain?: () => void;
  /** Longest time for a whole request to arrive; by default that of `listen`. */
  readonly requestTimeoutMs?: number | undefined;
}

/** Health and metrics before anything else, so that no middleware, credential or load stands in front of them. */
export async function serve({
  host,
  port,
  errorsBase,
  health,
  app = nothing(errorsBase),
  drain,
  requestTimeoutMs,
}: ServeOptions): Promise<Listening> {
  const listener: RequestListener = (request, response) => {
    if (!health.handle(request, response)) app(request, response);
  };
  const limits = requestTimeoutMs === undefined ? {} : { requestTimeoutMs };
  const listening = await listen(listener, port, { host, errorsBase, ...limits });
  return {
    port: listening.port,
    close: () => {
      health.drain();
      drain?.();
      return listening.close();
    },
  };
}

const nothing =
  (errorsBase: string): RequestListener =>
  (request, response) => {
    const requestId = requestIdFrom(request.headers['x-request-id']);
    writeProblem(response, refuse('not-found'), { errorsBase, requestId });
  };
