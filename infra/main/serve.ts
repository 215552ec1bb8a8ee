import type { IncomingMessage, RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { refuse } from '../../contracts/problems.ts';
import { listen, refusing, type Listening, type OnUpgrade } from '../http/index.ts';
import type { InternalTls } from '../internal-tls/index.ts';
import type { LevelRoute } from '../logging/level-route.ts';
import type { Health } from '../metrics/index.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly errorsBase: string;
  readonly health: Health;
  readonly levelRoute?: LevelRoute;
  /** Handles everything except health and metrics. Default: 404. */
  readonly app?: RequestListener;
  readonly upgrade?: OnUpgrade | undefined;
  /** Ends endless answers. */
  readonly drain?: () => void;
  /** With it, callers without a certificate of the installation reach only health and metrics. */
  readonly tls?: InternalTls | undefined;
  /**
   * Milliseconds for which requests are still served after `close`, while the process is no longer ready. Default 0.
   */
  readonly noticeMs?: number;
  /** Longest time for a whole request to arrive; by default that of `listen`. */
  readonly requestTimeoutMs?: number | undefined;
}

/** Health and metrics before anything else, so that no middleware, credential or load stands in front of them. */
export async function serve({
  host,
  port,
  errorsBase,
  health,
  levelRoute,
  app = nothing(errorsBase),
  drain,
  tls,
  noticeMs = 0,
  upgrade,
  requestTimeoutMs,
}: ServeOptions): Promise<Listening> {
  const refused = toStrangers(errorsBase);
  let leaving = false;
  const listener: RequestListener = (request, response) => {
    // On answers to probes too: a client that keeps its connection through a balancer would otherwise reach only this
    // process until it ends.
    if (leaving) response.setHeader('Connection', 'close');
    if (health.handle(request, response) || levelRoute?.(request, response)) return;
    if (isStranger(request)) refused(request, response);
    else app(request, response);
  };
  const limits = requestTimeoutMs === undefined ? {} : { requestTimeoutMs };
  const upgrades: OnUpgrade | undefined =
    upgrade && ((request, socket, head) => !isStranger(request) && upgrade(request, socket, head));
  const listening = await listen(listener, port, { host, errorsBase, tls, upgrade: upgrades, ...limits });
  return {
    port: listening.port,
    close: async () => {
      health.drain();
      leaving = true;
      await delay(noticeMs);
      drain?.();
      await listening.close();
    },
  };
}

/** True for a TLS client without a certificate of the installation, such as probes and scrapers. */
const isStranger = ({ socket }: IncomingMessage): boolean =>
  socket instanceof TLSSocket && !socket.authorized;

const nothing = (errorsBase: string) => refusing(errorsBase, () => refuse('not-found'));
const toStrangers = (errorsBase: string) =>
  refusing(errorsBase, () =>
    refuse(
      'unauthorized',
      'This address is only for processes of the installation, which have a certificate.',
    ),
  );
