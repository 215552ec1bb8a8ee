import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, rmSync } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import pino from 'pino';
import type { IncidentEvent } from '../../contracts/events/incident.ts';
import type { ProbeEvent } from '../../contracts/events/probe.ts';
import { toId, uuidOf, type IncidentId } from '../../contracts/ids.ts';
import type { PublicStatus, StatusIncident } from '../../contracts/resources/status.ts';
import type { EventStore, SubscribeOptions, Subscription } from '../../infra/event-store/client/types.ts';
import { caller } from '../../infra/http/testing.ts';
import { listen } from '../../infra/http/index.ts';
import { readApi } from '../../infra/verification/bench/bench-read-api.ts';
import { startEventLog, tempDir, until } from '../../infra/verification/testbed/index.ts';
import { createStatusHub } from './hub.ts';

const logger = pino({ level: 'silent' });
const nowhere = 'postgres://localhost:1/nowhere';
export const at = (minute: number): string => new Date(Date.UTC(2026, 0, 5, 12, minute)).toISOString();

/** A read-api without Postgres, on an event store that can be stopped, with a clock that can be moved. */
export async function startStatusApi() {
  const { store, ...log } = await openLog();
  const file = join(tempDir('status'), 'status.json');
  let offset = 0;
  const clock = { now: () => new Date(Date.now() + offset) };
  const options = { store, clock, logger, file, confirmMs: 20, heartbeatMs: 30, streamsPerAddress: 3 };
  const serve = async () => {
    const status = createStatusHub(options);
    return { status, ...(await listen(readApi(nowhere, { status }), 0)) };
  };
  let served = await serve();
  const stop = async () => {
    served.status.end();
    await served.close();
    await served.status.close();
  };
  const call = (path: string) => caller(served.port)(`GET ${path}`);
  const current = async () => (await call('/v1/status')).json as unknown as PublicStatus;
  return {
    ...log,
    call,
    current,
    ...writesTo(store, current),
    advance: (ms: number) => void (offset += ms),
    streams: () => served.status.count(),
    stream: (headers: Readonly<Record<string, string>> = {}) => openStream(served.port, headers),
    /** Restarts the process with its file, or without it. `meanwhile`: runs while it is down. */
    restart: async ({ forgets = false, meanwhile = () => Promise.resolve() } = {}) => {
      await stop();
      if (forgets) rmSync(file);
      await meanwhile();
      served = await serve();
    },
    close: async () => {
      await stop();
      await store.close();
      await log.stopStore();
    },
  };
}

async function openLog() {
  const log = await startEventLog();
  let isStopped = false;
  const stopStore = async () => {
    if (!isStopped) await log.close();
    isStopped = true;
  };
  const whole = log.connect({ logger });
  let released: Promise<void> | undefined;
  const store: EventStore = {
    ...whole,
    subscribe: (options) =>
      released === undefined ? whole.subscribe(options) : late(whole, options, released),
  };
  return {
    ...{ store, stopStore },
    /** Subscriptions from now on deliver nothing until the returned function is called, as while a long log is still being read. */
    hold: () => {
      let release: () => void = () => undefined;
      released = new Promise((resolve) => (release = resolve));
      return release;
    },
    /** Copies the files of the log. The returned function restores them. */
    backUp: () => {
      const copy = join(tempDir('status'), 'log');
      cpSync(log.dataDir(), copy, { recursive: true });
      return async () => {
        await log.stop();
        rmSync(log.dataDir(), { recursive: true });
        cpSync(copy, log.dataDir(), { recursive: true });
        await log.start();
      };
    },
  };
}

/** A subscription that is opened once the promise resolves. */
function late(store: EventStore, options: SubscribeOptions, released: Promise<void>): Subscription {
  const closed = new AbortController();
  let opened: Subscription | undefined;
  return {
    async *[Symbol.asyncIterator]() {
      await Promise.race([released, once(closed.signal, 'abort')]);
      if (closed.signal.aborted) return;
      opened = store.subscribe(options);
      yield* opened;
    },
    close: async () => {
      closed.abort();
      await opened?.close();
    },
  };
}

const metadata = {
  ...{ correlation_id: 'a', causation_id: 'b', occurred_at: at(0), schema_version: 1, request_id: null },
  actor: { kind: 'staff', account_id: null },
} as const;

/** Appends of operators and the prober. Each returns the id of its event in the stream. */
function writesTo(store: EventStore, current: () => Promise<PublicStatus>) {
  const append = async (stream: string, event: IncidentEvent | ProbeEvent): Promise<string> => {
    const { position } = await store.append(stream, 'any', [{ ...event, id: randomUUID(), metadata }]);
    return String(position.commit);
  };
  return {
    /** Resolves once the status shows it. */
    openIncident: async (title = 'Webhooks arrive late') => {
      const incidentId = toId('incident', randomUUID());
      const about = { incidentId, title, impact: 'minor' as const, message: 'Looking into it.', at: at(0) };
      const data = { ...about, components: ['webhooks' as const] };
      const eventId = await append(`incident-${uuidOf(incidentId)}`, { type: 'IncidentOpened', data });
      await until(async () => (await current()).incidents.some(({ id }) => id === incidentId));
      return { incidentId, eventId };
    },
    update: (incidentId: IncidentId, message: string) =>
      append(`incident-${uuidOf(incidentId)}`, {
        type: 'IncidentUpdated',
        data: { incidentId, status: 'identified', message, isMailed: false, at: at(10) },
      }),
    /** Returns once the status shows it. */
    resolve: async (incidentId: IncidentId, resolvedAt: string) => {
      const data = { incidentId, message: 'Over.', at: resolvedAt };
      await append(`incident-${uuidOf(incidentId)}`, { type: 'IncidentResolved', data });
      const isShown = ({ id, resolved_at }: StatusIncident) => id === incidentId && resolved_at !== null;
      await until(async () => (await current()).incidents.some(isShown));
    },
    count: (probes: number, failures: number) =>
      append('probe-0197f1a0-0000-7000-8000-000000000001', {
        type: 'ProbesCounted',
        data: { component: 'api', from: new Date().toISOString(), probes, failures, at: at(59) },
      }),
  };
}

export type StatusApi = Awaited<ReturnType<typeof startStatusApi>>;

interface SentStatus {
  readonly id: string;
  readonly data: PublicStatus;
}

export interface StatusStream {
  readonly type: string | undefined;
  readonly events: SentStatus[];
  readonly comments: string[];
  readonly pause: () => void;
  readonly isOver: () => boolean;
  readonly leave: () => void;
}

/** Opens the stream like a browser's `EventSource`. */
async function openStream(port: number, headers: Readonly<Record<string, string>>): Promise<StatusStream> {
  const sent: ClientRequest = request({ port, path: '/v1/status/stream', headers, agent: false });
  sent.on('error', () => undefined);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end();
  });
  const events: SentStatus[] = [];
  const comments: string[] = [];
  let isOver = false;
  const parser = createParser({
    onEvent: ({ event, id = '', data }) => {
      if (event === 'status.updated') events.push({ id, data: JSON.parse(data) as PublicStatus });
    },
    onComment: (text) => comments.push(text),
  });
  response.on('data', (chunk: Buffer) => parser.feed(chunk.toString()));
  response.on('error', () => undefined).on('close', () => (isOver = true));
  return {
    type: response.headers['content-type'],
    events,
    comments,
    pause: () => response.pause(),
    isOver: () => isOver,
    leave: () => void sent.destroy(),
  };
}
