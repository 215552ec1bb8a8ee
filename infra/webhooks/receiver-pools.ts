import { Pool, buildConnector } from 'undici';
import { lookupOf } from '../outbound/checked-lookup.ts';

/** Connections to one receiver at checked addresses. */
export interface ReceiverPool {
  readonly pool: Pool;
  /** Number of dialled connections so far: undici dials on dispatch, unless it reuses one. */
  readonly dialled: () => number;
}

export interface ReceiverPoolsOptions {
  readonly connectTimeoutMs: number;
  /** Certificates to trust instead of the system's. */
  readonly ca?: string;
}

/** Number of receivers with pooled connections; beyond it the least recently used are closed. */
const receivers = 2000;
/** Receivers unused for this long are removed, in milliseconds. Their open connections end much sooner. */
const idleMs = 60_000;
/** Idle timeout of an open connection, unless the receiver's is shorter. */
const keepAlive = { keepAliveTimeout: 10_000, keepAliveMaxTimeout: 30_000 };

interface Kept extends ReceiverPool {
  usedAt: number;
}

export type ReceiverPools = ReturnType<typeof createReceiverPools>;

/** A pool is keyed by the resolved address: a connection never outlives a change of the host's DNS records. */
export function createReceiverPools(options: ReceiverPoolsOptions) {
  const kept = new Map<string, Kept>();
  const letGo = (key: string, { pool }: Kept) => {
    kept.delete(key);
    void pool.close();
  };
  return {
    /** Dials only these addresses, with the URL's host as `Host` and as the TLS server name. */
    at(url: URL, addresses: readonly string[]): ReceiverPool {
      const key = [url.origin, ...[...addresses].sort()].join(' ');
      const found = kept.get(key) ?? openPool(url, addresses, options);
      const now = performance.now();
      found.usedAt = now;
      kept.delete(key);
      kept.set(key, found);
      const [oldest] = kept;
      if (oldest && (kept.size > receivers || now - oldest[1].usedAt > idleMs)) letGo(...oldest);
      return found;
    },
    close: async (): Promise<void> => {
      await Promise.all([...kept.values()].map(({ pool }) => pool.destroy()));
      kept.clear();
    },
  };
}

function openPool(
  { origin }: URL,
  addresses: readonly string[],
  { connectTimeoutMs, ca }: ReceiverPoolsOptions,
): Kept {
  let dialled = 0;
  const dial = buildConnector({
    timeout: connectTimeoutMs,
    lookup: lookupOf(addresses),
    autoSelectFamily: true,
    // Of several addresses, ones that do not answer in time are skipped.
    autoSelectFamilyAttemptTimeout: connectTimeoutMs / 10,
    allowH2: false,
    ...(ca !== undefined && { ca }),
  });
  const pool = new Pool(origin, {
    ...keepAlive,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, done) => {
      dialled += 1;
      dial(target, done);
    },
  });
  return { pool, dialled: () => dialled, usedAt: 0 };
}
