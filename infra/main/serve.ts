import type { IncomingMessage, RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { refuse } from '../../contracts/problems.ts';
import { listen, refusing, type Listening, type ListenOptions, type OnUpgrade } from '../http/index.ts';
import type { LevelRoute } from '../logging/level-route.ts';
import type { Health } from '../metrics/index.ts';

export interface ServeOptions extends Pick<
  ListenOptions,
  'upgrade' | 'tls' | 'requestTimeoutMs' | 'bodyPace' | 'closeMs' | 'idle'
> {
  readonly host: string;
  readonly port: number;
  readonly errorsBase: string;
  readonly health: Health;
  readonly levelRoute?: LevelRoute;
  /** Handles everything except health and metrics. Default: 404. */
  readonly app?: RequestListener;
  /** Ends endless answers. */
  readonly drain?: () => void;
  /**
   * Milliseconds for which requests are still served after `close`, while the process is no longer ready. Default 0.
   */
  readonly noticeMs?: number;
}

/**
 * Health and metrics before anything else, so that no middleware, credential or load stands in front of them. With TLS, callers without
 * a certificate of the installation reach nothing else.
 */
export async function serve({
  host,
  port,
  errorsBase,
  health,
  levelRoute,
  app = nothing(errorsBase),
  drain,
  noticeMs = 0,
  upgrade,
  ...limits
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
  const upgrades: OnUpgrade | undefined =
    upgrade && ((request, socket, head) => !isStranger(request) && upgrade(request, socket, head));
  const listening = await listen(listener, port, { ...limits, host, errorsBase, upgrade: upgrades });
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
