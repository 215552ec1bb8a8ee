import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Service } from '../../contracts/client/index.ts';
import { Opened } from './opened.ts';
import { secretsIn } from './secrets.ts';
import { createServer } from './server.ts';

export interface StdioEnvironment {
  readonly SERVICE_API_KEY?: string | undefined;
  readonly SERVICE_BASE_URL?: string | undefined;
  readonly [name: string]: string | undefined;
}

/** Time limit for ending the browsers after the client has disconnected, in milliseconds. */
const endsWithinMs = 20_000;

/**
 * Serves the parent process on stdin and stdout, which carry only the protocol. Resolves once the parent has gone, or has ended
 * this process, and the opened resources are ended.
 */
export async function serveProcess(environment: StdioEnvironment): Promise<void> {
  const { SERVICE_API_KEY: apiKey, SERVICE_BASE_URL: given = 'http://127.0.0.1:8080' } = environment;
  if (apiKey === undefined || apiKey === '') throw new Error('SERVICE_API_KEY must be an API key.');
  const baseUrl = given.replace(/\/+$/, '');
  const secrets = secretsIn(environment);
  const service = new Service({ baseUrl, apiKey });
  const opened = new Opened();
  const handle = serveStdio(
    () => createServer({ service, consoleUrl: `${baseUrl}/console`, opened, secrets }),
    {
      onerror: ({ message }) => process.stderr.write(`${message}\n`),
    },
  );
  await gone();
  await handle.close();
  await Promise.race([opened.end(), timeout(endsWithinMs)]);
}

const timeout = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

/** Resolves when the client closes its end, or a signal arrives. */
const gone = () =>
  new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
