import { request, type ClientRequest, type OutgoingHttpHeaders } from 'node:http';
import type { ServedApps } from './served-apps.ts';
import { usedBy } from './system/system-processes.ts';

/** A stream of server-sent events that is read continuously. */
export interface OpenStream {
  readonly sent: ClientRequest;
  /** Arrival time of each event of its type. */
  readonly arrivedAt: number[];
}

interface Opening {
  readonly port: number;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** The type of events to record. */
  readonly event: string;
  /** The number of those events after which it counts as open. */
  readonly openAfter: number;
}

export function openStream({ port, path, headers, event, openAfter }: Opening): Promise<OpenStream> {
  const accepting = { accept: 'text/event-stream', ...headers };
  const sent = request({ port, path, headers: accepting, agent: false });
  const line = `event: ${event}`;
  const arrivedAt: number[] = [];
  return new Promise((resolve, reject) => {
    sent.once('error', reject).once('response', (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`A stream was answered ${response.statusCode}.`));
      response.on('error', () => undefined);
      response.on('data', (chunk: Buffer) => {
        const now = performance.now();
        const events = chunk
          .toString()
          .split('\n')
          .filter((each) => each === line);
        arrivedAt.push(...events.map(() => now));
        if (arrivedAt.length >= openAfter) resolve({ sent, arrivedAt });
      });
    });
    sent.end();
  });
}

/** Private memory of this process in kilobytes, after garbage collection. */
export async function memoryOf({ pid, cpuUsage }: ServedApps<string>): Promise<number> {
  await cpuUsage();
  return (usedBy({ app: pid }).app?.ownMb ?? 0) * 1024;
}
