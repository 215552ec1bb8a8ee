import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { fileNames } from '../../internal-tls/index.ts';

/** Where a relay listens, or where it connects to: an address, or a socket in a directory that all hosts share. */
export type Place =
  | { readonly path: string }
  | {
      readonly host: string;
      readonly port: number;
      /** A directory of `FLEET_TLS`, where the connection is encrypted and both sides show their certificates. */
      readonly tls?: string;
    };

export interface Relay {
  /** Ends its connections too. */
  close(): void;
}

/** Carries connections from one place to another, as a tunnel of an operator would. */
export async function startRelay(from: Place, to: Place): Promise<Relay> {
  const open = new Set<Socket>();
  const server = listenerAt(from, (near) => {
    const far = reach(to);
    const end = () => [near, far].forEach((socket) => socket.destroy());
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', end).once('close', () => open.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  if ('path' in from) server.listen(from.path);
  else server.listen(from.port, from.host);
  await once(server, 'listening');
  return {
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

const options = { allowHalfOpen: true, noDelay: true } as const;

function listenerAt(place: Place, onSocket: (socket: Socket) => void): Server {
  if ('path' in place || place.tls === undefined) return createServer(options, onSocket);
  const required = { requestCert: true, rejectUnauthorized: true } as const;
  return createTlsServer({ ...options, ...required, ...credentialsIn(place.tls) }, onSocket);
}

function reach(place: Place): Socket {
  if ('path' in place) return connect({ ...options, path: place.path });
  const { host, port, tls } = place;
  return tls === undefined
    ? connect({ ...options, host, port })
    : connectTls({ host, port, ...credentialsIn(tls) });
}

const credentialsIn = (directory: string) => ({
  ca: readFileSync(join(directory, fileNames.authority)),
  cert: readFileSync(join(directory, fileNames.certificate)),
  key: readFileSync(join(directory, fileNames.key)),
});
