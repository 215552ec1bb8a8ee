import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Register, Registered } from '../../../contracts/fleet/protocol.ts';
import type { NodeId, SessionId } from '../../../contracts/ids.ts';
import type { Dialling } from '../tunnel/dialling.ts';
import { ControlPlaneRefused, type ControlPlane } from './control-plane.ts';
import type { FirstBrowser } from './first-browser.ts';
import type { Sessions } from './sessions.ts';

export interface MembershipOptions {
  readonly controlPlane: ControlPlane;
  readonly body: Register;
  readonly sessions: Sessions;
  /** Sessions whose browsers people watch. */
  readonly watched: () => readonly SessionId[];
  readonly firstBrowser: FirstBrowser;
  readonly logger: Logger;
  /** Milliseconds between attempts to register. */
  readonly retryMs: number;
  /** Called with the addresses of the installation's other parts, each time that the control plane sends them. */
  readonly onInternal?: ((places: readonly string[]) => void) | undefined;
  /** For a node that is only reached by tunnels: while it has none it sends no heartbeats. */
  readonly tunnels?: Pick<Dialling, 'size' | 'isUnknown' | 'instancesAre'> | undefined;
}

/**
 * Registers once a browser has started here, sends heartbeats and follows the replies; registers again when the control plane does not know
 * the node any more.
 */
export function joinControlPlane(options: MembershipOptions) {
  const stopping = new AbortController();
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  let known: Registered | undefined;
  /** When the node ends its browsers at the latest, by `performance.now()`; undefined unless it is being stopped. */
  let leavesAt: number | undefined;
  let announce: (id: NodeId) => void = () => undefined;
  const registered = new Promise<NodeId>((resolve) => {
    announce = resolve;
  });

  /** One call of the control plane; returns the milliseconds until the next. */
  const step = async (): Promise<number> => {
    if (known) {
      const { heartbeat_ms } = known;
      if (!(await beat(options, known, { stopping: stopping.signal, leavesAt }))) known = undefined;
      return heartbeat_ms;
    }
    const waitMs = await options.firstBrowser.attempt();
    if (waitMs > 0) return waitMs;
    known = await register(options);
    if (known) announce(known.node_id);
    return known ? 0 : options.retryMs;
  };
  const run = async () => {
    while (!stopping.signal.aborted) await pause(await step());
  };
  const beating = run();

  return {
    /** Resolves once the control plane has accepted the node; stays pending if the node stops before. */
    registered,
    /**
     * Sends the node's present status without waiting for the next heartbeat. From then on heartbeats say that it ends its browsers
     * after `limitMs` milliseconds, unless that is at once.
     */
    tellLeaving: async (limitMs: number) => {
      if (limitMs > 0) leavesAt = performance.now() + limitMs;
      if (known) await beat(options, known, { stopping: stopping.signal, leavesAt });
    },
    /** Stops heartbeats, after a last one with the node's present status. */
    leave: async () => {
      stopping.abort();
      await beating;
      if (known) await beat(options, known, { stopping: stopping.signal, leavesAt });
    },
  };
}

async function register({
  controlPlane,
  body,
  logger,
  onInternal,
}: MembershipOptions): Promise<Registered | undefined> {
  try {
    const registered = await controlPlane.register(body);
    onInternal?.(registered.internal ?? []);
    return registered;
  } catch (error) {
    logger.warn({ err: error }, 'The control plane has not accepted this node yet.');
    return undefined;
  }
}

interface Leaving {
  readonly stopping: AbortSignal;
  readonly leavesAt: number | undefined;
}

const leavesInMs = ({ leavesAt }: Leaving): number | undefined =>
  leavesAt === undefined ? undefined : Math.max(0, Math.round(leavesAt - performance.now()));

const seen = (watched: readonly SessionId[]) => (watched.length === 0 ? {} : { watched: [...watched] });

/** Sends the node's status and follows the reply. False if the control plane does not know the node any more. */
async function beat(
  { controlPlane, body, sessions, watched, logger, onInternal, tunnels }: MembershipOptions,
  { node_id }: Registered,
  leaving: Leaving,
): Promise<boolean> {
  if (tunnels?.size === 0) return !tunnels.isUnknown;
  try {
    const { url, internal } = body;
    const now = { status: sessions.status(), ...seen(watched()) };
    const beat = { node_id, url, ...now, ...(internal && { internal }) };
    const reply = await controlPlane.heartbeat(beat, leavesInMs(leaving));
    onInternal?.(reply.internal ?? []);
    tunnels?.instancesAre(reply.instances ?? []);
    if (leaving.stopping.aborted) return true;
    sessions.draining = reply.draining;
    for (const session of reply.destroy) void sessions.destroy(session);
    return true;
  } catch (error) {
    logger.warn({ err: error }, 'A heartbeat failed.');
    return !(error instanceof ControlPlaneRefused && error.status === 401);
  }
}
