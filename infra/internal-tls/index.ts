import { X509Certificate } from 'node:crypto';
import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import type { ServerOptions } from 'node:https';
import { join } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Logger } from 'pino';
import { Agent, buildConnector } from 'undici';

/** Mutual TLS between the processes of an installation. */
export interface InternalTls {
  /** Options of a server. It requests a client certificate, and decides itself whether to require one. */
  readonly server: ServerOptions;
  /** For an agent or a pool of undici. Each new connection uses the present certificate. */
  readonly connect: buildConnector.connector;
  /** For single requests. */
  readonly agent: Agent;
  /** When the certificate in use ends, in seconds since 1970. */
  expiresAt(): number;
  /** Called with new certificates for servers. */
  onRenewed(use: (context: SecureContextOptions) => void): void;
  close(): Promise<void>;
}

/** File names in the directory, as in Kubernetes secrets of type TLS. */
export const fileNames = { authority: 'ca.crt', certificate: 'tls.crt', key: 'tls.key' } as const;

const LOOK_EVERY_MS = 30_000;

/**
 * Loads the certificates of a directory, and reloads them when they are replaced. Throws if they are missing, or do not match.
 */
export function openInternalTls(directory: string, logger: Logger, lookEveryMs = LOOK_EVERY_MS): InternalTls {
  let context = read(directory);
  let connector = buildConnector(context);
  const uses: ((renewed: SecureContextOptions) => void)[] = [];
  const watched = Object.values(fileNames).map((name) => join(directory, name));
  const take = () => {
    try {
      context = read(directory);
    } catch (error) {
      logger.error(
        { err: error },
        'The new certificate of this process cannot be used; the old one stays in use.',
      );
      return;
    }
    connector = buildConnector(context);
    for (const use of uses) use(context);
    logger.info('Loaded a new certificate.');
  };
  for (const path of watched) watchFile(path, { interval: lookEveryMs, persistent: false }, take);
  const connect: buildConnector.connector = (options, done) => connector(options, done);
  const agent = new Agent({ connect });
  return {
    server: { ...context, requestCert: true, rejectUnauthorized: false },
    connect,
    agent,
    expiresAt: () => Date.parse(new X509Certificate(context.cert).validTo) / 1000,
    onRenewed: (use) => void uses.push(use),
    close: () => {
      watched.forEach((path) => unwatchFile(path, take));
      return agent.close();
    },
  };
}

function read(directory: string) {
  const text = (name: string) => readFileSync(join(directory, name), 'utf8');
  const { authority, certificate, key } = fileNames;
  const context = {
    ca: text(authority),
    cert: text(certificate),
    key: text(key),
    minVersion: 'TLSv1.3',
  } as const satisfies SecureContextOptions;
  createSecureContext(context);
  return context;
}
