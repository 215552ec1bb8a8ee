import { ConfigError, type Config } from '../../config/index.ts';
import { openInternalTls, type InternalTls } from '../../internal-tls/index.ts';
import type { Check } from '../../metrics/index.ts';
import { isLoopback } from '../../platform/loopback.ts';
import type { RoleContext } from '../roles/role.ts';
import { request } from '../../platform/request.ts';

type Addresses = Pick<
  Config,
  'WRITE_URL' | 'WRITE_PORT' | 'READ_URL' | 'READ_PORT' | 'INTERNAL_HOST' | 'FLEET_TLS'
>;

export const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** `host:port` for a URL. */
export const authority = (host: string, port: number | string): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The address, on this machine, of a process that listens on this interface. */
export const here = (host: string): string => (isEverywhere(host) ? '127.0.0.1' : host);

/** URL of a role on this machine other than the gateway. */
export const internalUrl = (
  { INTERNAL_HOST, FLEET_TLS }: Pick<Config, 'INTERNAL_HOST' | 'FLEET_TLS'>,
  port: number | string,
): string => `${FLEET_TLS === undefined ? 'http' : 'https'}://${authority(here(INTERNAL_HOST), port)}`;

/** URLs of other roles: configured, or their own ports on this machine. */
export const writeUrl = (config: Addresses) => config.WRITE_URL ?? internalUrl(config, config.WRITE_PORT);
export const readUrl = (config: Addresses) => config.READ_URL ?? internalUrl(config, config.READ_PORT);

/**
 * URL of this machine's node for the control plane. Throws `ConfigError` if it listens on every interface and no address is
 * configured.
 */
export function nodeUrl(config: Config): string {
  const { NODE_URL, NODE_ADDRESS, NODE_PORT, INTERNAL_HOST, FLEET_TLS } = config;
  if (NODE_URL !== undefined) return NODE_URL;
  if (NODE_ADDRESS === undefined && isEverywhere(INTERNAL_HOST))
    throw new ConfigError([
      'NODE_ADDRESS is not set, and the node listens on every interface. Set it to the address by which others reach the node.',
    ]);
  return internalUrl({ INTERNAL_HOST: NODE_ADDRESS ?? INTERNAL_HOST, FLEET_TLS }, NODE_PORT);
}

/** Throws `ConfigError` if processes on different machines would connect without TLS, unless the operator allows it. */
export function assertNoPlain(config: Config): void {
  const {
    INTERNAL_HOST,
    FLEET_TLS,
    ALLOW_PLAIN_INTERNAL,
    WRITE_URL,
    READ_URL,
    NODE_URL,
    READY_PEERS = [],
  } = config;
  if (ALLOW_PLAIN_INTERNAL) return;
  const advice = 'Set FLEET_TLS, or ALLOW_PLAIN_INTERNAL=true in a network that nobody else can reach.';
  const listens = FLEET_TLS === undefined && !isLoopback(INTERNAL_HOST);
  const named = Object.entries({ WRITE_URL, READ_URL, NODE_URL, READY_PEERS: READY_PEERS.find(isPlain) });
  throwIfAny([
    ...(listens ? [`INTERNAL_HOST is ${INTERNAL_HOST}, where others could read the traffic. ${advice}`] : []),
    ...named
      .filter(([, url]) => url !== undefined && isPlain(url))
      .map(([name, url]) => `${name} is ${url}, which is not encrypted. ${advice}`),
  ]);
}

function throwIfAny(complaints: readonly string[]): void {
  if (complaints.length > 0) throw new ConfigError(complaints);
}

function isPlain(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** Undefined without TLS between processes. */
export function openTls({ config, logger, lifetime }: Pick<RoleContext, 'config' | 'logger' | 'lifetime'>) {
  if (config.FLEET_TLS === undefined) return undefined;
  const tls = opened(config.FLEET_TLS, logger);
  lifetime.defer('certificates', () => tls.close());
  return tls;
}

function opened(directory: string, logger: RoleContext['logger']): InternalTls {
  try {
    return openInternalTls(directory, logger);
  } catch (error) {
    throw new ConfigError([`FLEET_TLS is ${directory}, which cannot be used: ${(error as Error).message}`]);
  }
}

const LIMIT_MS = 1_500;

export interface PeerCheckOptions {
  /** Makes the peer report its failing checks, wherever it is. */
  readonly token?: string | undefined;
  readonly tls?: InternalTls | undefined;
}

/**
 * Passes if the process at this URL reports that it is ready. If not, it is asked once more: behind a balancer, the
 * first answer may come from a process that is shutting down, over a kept connection. That process closes the
 * connection, and the next one reaches another process.
 */
export const peerCheck =
  (address: string, options: PeerCheckOptions = {}): Check =>
  async () => {
    const complaint = (await unready(address, options)) && (await unready(address, options));
    if (complaint !== undefined) throw new Error(complaint);
  };

/** The parts that an unready process reports as not ready. */
async function unready(address: string, { token, tls }: PeerCheckOptions): Promise<string | undefined> {
  const { statusCode, body } = await request(`${address}/readyz`, {
    signal: AbortSignal.timeout(LIMIT_MS),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(tls && { dispatcher: tls.agent }),
  });
  const text = await body.text();
  return statusCode === 200 ? undefined : text || String(statusCode);
}
