import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { WallClock } from '../faults/surroundings.ts';
import { runService } from '../testbed/service.ts';
import type { LocalStores } from './host-program.ts';
import { addresses, apiHosts, hidden, hostNames, isNode, urls, type HostName } from './places.ts';

const makeSecrets = fileURLToPath(new URL('../../deploy/make-secrets.sh', import.meta.url));

/** Hosts whose clocks the test sets, all of them at once. */
const withOwnClock: readonly HostName[] = ['api-2', 'node-2'];
/** The secrets that a machine with browsers has. */
const secretsOfNodes = ['NODE_JOIN_TOKEN', 'METRICS_TOKEN'];

/** Settings as in the documentation of several machines, but for rate limits and the notice of a shutdown. */
const settings = { DRIVER: 'simulated', RATE_LIMITS: 'off', SHUTDOWN_NOTICE: '3s', DRAIN_LIMIT: '60s' };

export const tlsDirectory = (directory: string, name: HostName): string => join(directory, 'tls', name);

/** Makes an authority, and a certificate for each host. Those of API hosts have the address of the balancer too, by which they are called. */
export async function certify(directory: string): Promise<void> {
  const authority = join(directory, 'authority');
  const certificates = async (...args: readonly string[]) => {
    const { status, stderr } = await runService(['certificates', ...args], process.env);
    if (status !== 0) throw new Error(stderr);
  };
  await certificates('init', '--authority', authority);
  await Promise.all(
    hostNames.map((name) => {
      const isBalanced = apiHosts.some((each) => each === name);
      const names = [addresses[name], ...(isBalanced ? [addresses.control] : [])];
      const issued = ['--out', tlsDirectory(directory, name), '--name', name, '--host', names.join()];
      return certificates('issue', '--authority', authority, ...issued);
    }),
  );
}

export type EnvironmentOf = (name: HostName) => NodeJS.ProcessEnv;

/** The environment of the processes on each host. */
export function configure(directory: string, stores: LocalStores, clock: WallClock): EnvironmentOf {
  const secrets = join(directory, 'secrets');
  execFileSync('sh', [makeSecrets, secrets]);
  const secretFiles = (isKnown: (secret: string) => boolean) =>
    Object.fromEntries(
      readdirSync(secrets)
        .filter(isKnown)
        .map((secret) => [`${secret}_FILE`, join(secrets, secret)]),
    );
  const ofStores = {
    EVENTSTORE_URL: `esdb://127.0.0.1:${stores.eventStore}?tls=false`,
    POSTGRES_URL: `postgres://service:${stores.password}@127.0.0.1:${stores.postgres}/postgres`,
    QUEUE_URL: `redis://127.0.0.1:${stores.redis}`,
    BLOB_URL: pathToFileURL(join(directory, 'blobs')).href,
    READ_URL: urls.READ_URL,
  };
  for (const name of hostNames) mkdirSync(join(directory, 'data', name), { recursive: true });
  return (name) => ({
    ...{ ...process.env, ...settings, BASE_URL: urls.BASE_URL, WRITE_URL: urls.WRITE_URL },
    ...{ HOST: addresses[name], INTERNAL_HOST: addresses[name], FLEET_TLS: tlsDirectory(directory, name) },
    ...{ DATA_DIR: join(directory, 'data', name), NODE_NAME: name },
    ...(isNode(name)
      ? secretFiles((secret) => secretsOfNodes.includes(secret))
      : { ...ofStores, ...secretFiles(() => true) }),
    ...(name === hidden && { NODE_CONNECT: 'dial' }),
    ...(withOwnClock.includes(name) && { ...clock.environment, LD_PRELOAD: clock.library }),
  });
}
