import { isIP, type Socket } from 'node:net';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import { firstSignal } from '../platform/first-signal.ts';
import { Semaphore } from '../platform/semaphore.ts';
import { unlessAborted } from '../platform/timeout.ts';
import { anyIsThisMachine } from './address-policy.ts';
import { OutboundRefused, type OutboundGuard } from './guard.ts';
import { LookupPermits } from './lookup-permits.ts';
import type { Dialled, ProxyWatch } from './proxy-health.ts';
import { dialAny, dialThrough, UpstreamBlocked, UpstreamSilent, type Target } from './upstream.ts';

/** Timeout of a look-up, with its wait for a permit, in milliseconds. */
const lookupMs = 15_000;
/** Maximum concurrent look-ups of one browser: each occupies a thread of the node until its name server answers. */
const lookupsAtOnce = 4;

export interface DiallerOptions {
  readonly guard: OutboundGuard;
  /** Ports of this machine that are never dialled, even if the guard allows them; may change. */
  readonly ownPorts?: ReadonlySet<number>;
  /** Permits that it shares with other browsers of the node. Default: permits of its own. */
  readonly lookups?: LookupPermits | undefined;
  /** Timeout of making a connection, in milliseconds. Default 15 s. */
  readonly dialMs?: number;
}

export const abandoned = () => new OutboundRefused('Nobody waits for the connection any longer.');

export interface Upstream {
  readonly proxy: DialledProxy;
  readonly watch: ProxyWatch;
}

/**
 * Connects to allowed targets: directly, or through a proxy whose own address is checked in the same way. Stops when the client is
 * gone: each address of a name may take the whole time.
 */
export function dialler(options: DiallerOptions, tenant: () => string | undefined) {
  const { guard, ownPorts = new Set(), lookups: shared = new LookupPermits(), dialMs = 15_000 } = options;
  const own = new Semaphore(lookupsAtOnce);
  /** Keeps its permits until the look-up has ended, also if that is too late: it occupies its thread as long. */
  const lookUp = ({ host, port }: Target, gone: AbortSignal): Promise<readonly string[]> => {
    const late = AbortSignal.timeout(lookupMs);
    const isOver = () => gone.aborted || late.aborted;
    const work = () => (isOver() ? Promise.reject(abandoned()) : guard.resolve(host, port));
    return unlessAborted(
      late,
      own.hold(() => shared.hold(tenant(), work)),
    );
  };
  const resolve = async (target: Target, gone: AbortSignal): Promise<readonly string[]> => {
    const { host, port } = target;
    const addresses = await (isLiteral(host) ? guard.resolve(host, port) : lookUp(target, gone));
    if (ownPorts.has(port) && anyIsThisMachine(addresses))
      throw new OutboundRefused(`Port ${port} of ${host} is not allowed: it is the browsers' own.`);
    return addresses;
  };
  return async (target: Target, upstream: Upstream | undefined, gone: AbortSignal): Promise<Socket> => {
    const addresses = await resolve(target, gone);
    const limit = () => firstSignal(gone, AbortSignal.timeout(dialMs));
    if (upstream === undefined) return dialAny(addresses, target.port, limit);
    const { proxy, watch } = upstream;
    const answersBefore = watch.answers();
    const checked = { resolve: (host: string) => resolve({ host, port: proxy.port }, gone) };
    try {
      const socket = await dialThrough(checked, proxy, { ...target, addresses }, limit());
      watch.add({ outcome: 'connected' });
      return socket;
    } catch (error) {
      if (!gone.aborted) watch.add(failureOf(error, target.host, answersBefore));
      throw error;
    }
  };
}

function failureOf(error: unknown, host: string, answersBefore: number): Dialled {
  if (error instanceof UpstreamSilent) return { outcome: 'silent', host, answersBefore };
  return { outcome: error instanceof UpstreamBlocked ? 'refused' : 'failed' };
}

/** Whether it is an address, which needs no look-up. */
const isLiteral = (host: string): boolean => isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;
