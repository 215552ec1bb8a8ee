import type { Config } from '../../config/index.ts';
import { authority } from './peers.ts';
import { portVariables, roles } from '../roles/table.ts';

/** Default ports of URLs without one. */
const usualPorts: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  esdb: 2113,
  kurrentdb: 2113,
  postgres: 5432,
  postgresql: 5432,
  redis: 6379,
  rediss: 6379,
  smtp: 587,
  smtps: 465,
};

/** The `host:port`s in a URL, which may have several: `scheme://user:password@host:port,host:port/path`. */
function placesIn(url: string): readonly string[] {
  const [, scheme = '', hosts = ''] = /^([a-z]+)(?:\+[a-z]+)?:\/\/(?:[^@/?]*@)?([^/?]*)/i.exec(url) ?? [];
  return hosts
    .split(',')
    .filter((host) => host !== '')
    .map((host) => (/:\d+$/.test(host) ? host : `${host}:${usualPorts[scheme.toLowerCase()]}`));
}

/** The endpoint of an object store other than Amazon's. */
const endpointIn = (url: string | undefined): string | undefined =>
  (url?.startsWith('s3:') && new URL(url).searchParams.get('endpoint')) || undefined;

/**
 * Addresses of the installation's other parts from this process's configuration, as `host:port`: roles, nodes and
 * stores. Defaults on loopback apply to each machine.
 */
export function internalAddresses(config: Config): readonly string[] {
  const listening = portVariables.flatMap((name) => [
    `127.0.0.1:${config[name]}`,
    authority(config.INTERNAL_HOST, config[name]),
  ]);
  const named = [
    ...[config.WRITE_URL, config.READ_URL, config.NODE_URL, ...(config.READY_PEERS ?? [])],
    ...[config.EVENTSTORE_URL, config.POSTGRES_URL, config.QUEUE_URL, config.SMTP_URL],
    ...[endpointIn(config.BLOB_URL), config.OTEL_EXPORTER_OTLP_ENDPOINT],
  ];
  const places = named.flatMap((url) => (url === undefined ? [] : placesIn(url)));
  return [...new Set([...listening, authority(config.HOST, config[roles.gateway.port]), ...places])];
}
