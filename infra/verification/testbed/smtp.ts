import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as the server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, unchanged. */
  readonly source: string;
  readonly isEncrypted: boolean;
}

export interface TestSmtpServer {
  /** URL without credentials. */
  readonly url: string;
  readonly port: number;
  readonly received: readonly ReceivedMail[];
  /** Answers every recipient with this from now on; undefined accepts it. */
  answer: (to: string) => 'take' | 'refuse' | 'hang';
  /** Uses this certificate from the next connection on. */
  present(pair: { readonly cert: string; readonly key: string }): void;
  /** Currently open connections. */
  connections(): number;
  close(): Promise<void>;
}

/** A real mail server on loopback, by default on a free port, and without encryption or a password. */
export async function startSmtpServer(
  options: SMTPServerOptions = {},
  listenOn = 0,
): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const running: Pick<TestSmtpServer, 'answer'> = { answer: () => 'take' };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    closeTimeout: 100,
    onRcptTo: ({ address }, _session, done) => {
      const answer = running.answer(address);
      if (answer === 'take') done();
      if (answer === 'refuse') done(new Error(`no such reader: ${address}`));
    },
    onData: keepIn(received),
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(listenOn, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(running, {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    present: (pair: { readonly cert: string; readonly key: string }) => server.updateSecureContext(pair),
    connections: () => server.connections.size,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  });
}

/** Accepts every message. */
const keepIn =
  (received: ReceivedMail[]): NonNullable<SMTPServerOptions['onData']> =>
  (stream, { envelope, secure }, done) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      received.push({
        from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        to: envelope.rcptTo.map(({ address }) => address),
        source: Buffer.concat(chunks).toString(),
        isEncrypted: secure,
      });
      done();
    });
  };
