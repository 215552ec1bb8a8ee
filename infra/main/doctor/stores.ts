import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import { blobUrl, openBlobs } from '../composition/profiles.ts';
import { openRegistry } from '../composition/stores.ts';
import type { Patient } from './patient.ts';
import { doubtful, ill, well, type Finding } from './finding.ts';
import { request } from '../../platform/request.ts';

export async function eventStore({ config, record }: Patient): Promise<Finding> {
  await record().ping();
  const { EVENTSTORE_URL = '' } = config;
  const version = await versionAt(EVENTSTORE_URL);
  return well(
    version === undefined
      ? 'answers; version unknown, as of the embedded store'
      : `answers; version ${version}`,
  );
}

/** The vendor's servers publish it over HTTP without credentials. */
async function versionAt(url: string): Promise<string | undefined> {
  const [, , host = ''] = /^(esdb|kurrentdb)[^:]*:\/\/(?:[^@/]*@)?([^/?,]+)/.exec(url) ?? [];
  const scheme = /tls=false/i.test(url) ? 'http' : 'https';
  try {
    const { body } = await request(`${scheme}://${host}/info`, { signal: AbortSignal.timeout(1_000) });
    const { esVersion, dbVersion } = (await body.json()) as { esVersion?: string; dbVersion?: string };
    return esVersion ?? dbVersion;
  } catch {
    return undefined;
  }
}

export async function postgres({ pool }: Patient): Promise<Finding> {
  const { rows } = await pool().query<{ version: string; used: number; most: number }>(
    `select current_setting('server_version') as version, current_setting('max_connections')::integer as most,
       (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as used`,
  );
  const { version = '', used = 0, most = 0 } = rows[0] ?? {};
  const says = `answers; version ${version}, ${used} of ${most} connections`;
  if (used < 0.9 * most) return well(says);
  return doubtful(says, 'Raise max_connections, or lower POSTGRES_POOL_SIZE of the processes.');
}

export async function queue({ config }: Patient): Promise<Finding> {
  const { QUEUE_URL = '' } = config;
  if (!QUEUE_URL.startsWith('redis')) return well('on Postgres');
  const redis = new Redis(QUEUE_URL, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const info = await redis.info();
    const field = (name: string) =>
      new RegExp(`^${name}:(.*)\\r?$`, 'm').exec(info)?.[1]?.trim() ?? 'unknown';
    const says = `Redis ${field('redis_version')} answers`;
    const policy = field('maxmemory_policy');
    if (policy === 'noeviction') return well(says);
    return doubtful(
      `${says}, and evicts keys when it is full (${policy})`,
      'Set maxmemory-policy to noeviction.',
    );
  } finally {
    redis.disconnect();
  }
}

/** Maximum difference of a clock from that of Postgres, in milliseconds. */
const mostApartMs = 2_000;

/** This machine's clock, and those of the nodes by their heartbeats. */
export async function clock({ config, pool }: Pick<Patient, 'config' | 'pool'>): Promise<Finding> {
  const asked = Date.now();
  const { rows } = await pool().query<{ now: Date }>('select clock_timestamp() as now');
  const answered = Date.now();
  const aheadMs = (asked + answered) / 2 - (rows[0]?.now ?? new Date(0)).getTime();
  const isOwnRight = Math.abs(aheadMs) <= mostApartMs + (answered - asked);
  const nodes = await openRegistry(config, pool()).list();
  const wrong = nodes.filter(
    ({ ageMs, clockAheadMs }) => ageMs < config.NODE_STALE_AFTER && Math.abs(clockAheadMs ?? 0) > mostApartMs,
  );
  const says = [
    `${apart(aheadMs)} that of Postgres`,
    ...wrong.map(({ nodeId, clockAheadMs }) => `that of ${nodeId} is ${apart(clockAheadMs ?? 0)} it`),
  ].join('; ');
  if (isOwnRight && wrong.length === 0) return well(says);
  return ill(
    says,
    'Synchronize the clocks with the same time servers: the times of events and leases depend on them. `service nodes list` shows the addresses of nodes.',
  );
}

const apart = (aheadMs: number): string =>
  `${Math.abs(Math.round(aheadMs))} ms ${aheadMs > 0 ? 'ahead of' : 'behind'}`;

const GIB = 1024 ** 3;
const leastFree = 2 * GIB;

export async function disk({ config }: Patient): Promise<Finding> {
  const { bavail, bsize, blocks } = await statfs(config.DATA_DIR);
  const [free, all] = [bavail * bsize, blocks * bsize];
  const says = `${(free / GIB).toFixed(1)} of ${(all / GIB).toFixed(1)} GiB free in ${config.DATA_DIR}`;
  if (free >= Math.min(leastFree, 0.1 * all)) return well(says);
  return ill(says, 'Free some space, or move DATA_DIR: the embedded stores stop when the disk is full.');
}

/**
 * Writes, reads and deletes a small blob. If the store's directory does not exist yet, the check uses the nearest
 * parent that exists, so that it leaves no directory behind.
 */
export async function blobs({ config, stack, lifetime }: Patient): Promise<Finding> {
  const store = await openBlobs({
    config: { ...config, BLOB_URL: existingPlace(blobUrl(config)) },
    lifetime,
  });
  const key = `doctor/${randomUUID()}`;
  const written = randomUUID();
  try {
    await store.put(key, once(written));
    const read: Buffer[] = [];
    for await (const chunk of await store.get(key)) read.push(chunk as Buffer);
    if (Buffer.concat(read).toString() !== written)
      return ill('returned other data than was written', 'Check the object store.');
  } finally {
    await store.delete(key).catch(() => undefined);
  }
  const says = `writes and reads (${new URL(blobUrl(config)).protocol.replace(':', '')})`;
  if (stack !== undefined || config.BLOB_URL !== undefined) return well(says);
  return doubtful(
    `${says}: a directory of this machine, as BLOB_URL is not set here`,
    'Give this command the BLOB_URL and the credentials of write-api, if that has any.',
  );
}

/** The nearest directory that exists, for the URL of a directory. */
function existingPlace(url: string): string {
  if (!url.startsWith('file:')) return url;
  let directory = resolve(fileURLToPath(url));
  while (!existsSync(directory)) directory = dirname(directory);
  return pathToFileURL(directory).href;
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}
