import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentSessionEvent } from '../../../../contracts/events/agent-session.ts';
import { agentSession } from '../../../../domain/agent-session/agent-session.ts';
import { exists } from '../../../../domain/agent-session/state.ts';
import { agentSessions } from '../../../../projections/read-models/agent-session.ts';
import { Conversation } from '../../../../projections/testing/agent-sessions.ts';
import { metadataBy } from '../../../../projections/testing/index.ts';
import { connectEventStore, type EventStore } from '../../../event-store/client/index.ts';
import { until } from '../../testbed/index.ts';
import { percentile } from '../latency.ts';
import { inFlight } from '../load.ts';
import { insertRows, startReadModels, type ReadModels } from '../read-models.ts';
import { addReader, filledAccount } from '../read-side.ts';
import { serveApps } from '../served-apps.ts';
import { startStoreProcess } from '../store-process.ts';
import { memoryOf, openStream, type OpenStream } from '../streams.ts';
import { atMost, type CheckSubject } from '../subject.ts';

const bars = { pass: 100, stretch: 50 };
const mostKb = 40;
const sessions = 100;
/** As many as an account may have; each account has one session. */
const listenersEach = 10;
const listeners = sessions * listenersEach;
const appends = 500;
const appendsPerSecond = 50;

/**
 * Entries appended to one of a hundred transcripts at a time, each sent to the ten clients that listen to it over
 * connections of their own.
 */
export const transcripts: CheckSubject = {
  kind: 'check',
  id: 'agents-transcripts',
  long: true,
  title: `append to listener p99 with ${listeners} transcript streams open (an idle one takes at most ${mostKb} kB)`,
  bars,
  unit: 'ms',
  async check({ directory, logger }) {
    const server = await startStoreProcess(directory);
    const models = await startReadModels(directory, logger);
    const store = connectEventStore({ url: server.url, logger });
    const apps = await serveApps<'api'>(new URL('./transcript-server.ts', import.meta.url), [
      models.url,
      server.url,
    ]);
    const open: Listening[] = [];
    try {
      const talks = await Promise.all(Array.from({ length: sessions }, (_, n) => begin(models, store, n)));
      // Warm-up: the subscription and other lasting state exist before the first reading.
      for (const talk of talks) open.push(await listen(apps.ports.api, talk));
      const before = await memoryOf(apps);
      await inFlight(listeners - sessions, 20, async (index) => {
        const talk = talks[index % sessions];
        if (talk !== undefined) open.push(await listen(apps.ports.api, talk));
      });
      const kbEach = ((await memoryOf(apps)) - before) / (listeners - sessions);
      const took = await appendAndHear(store, talks, open);
      const [p50_ms, p99_ms] = [percentile(took, 0.5), percentile(took, 0.99)];
      const found = atMost(bars, p99_ms, { p50_ms, p99_ms, kb_each: kbEach, deliveries: took.length });
      return { ...found, passed: found.passed && kbEach <= mostKb };
    } finally {
      for (const { sent } of open) sent.destroy();
      await apps.close();
      await store.close();
      await models.close();
      await server.stop();
    }
  },
};

interface Talk {
  readonly conversation: Conversation;
  readonly token: string;
  revision: bigint;
}

/** An account with one agent session, in the log and in the read models. */
async function begin({ pool }: ReadModels, store: EventStore, number: number): Promise<Talk> {
  const { token } = await addReader(pool, number);
  const conversation = new Conversation(filledAccount(number), (_owner, _field, text) =>
    Promise.resolve(text),
  );
  const created = conversation.created({ mode: 'manual' });
  const state = agentSession.evolve(agentSession.initialState, created);
  if (!exists(state)) throw new Error('Nothing was created.');
  const { agentSessionId: id, accountId: account_id, status, createdAt: created_at } = state;
  const row = { id, account_id, status, session_id: null, state, created_at };
  await insertRows(pool, agentSessions.table, [row]);
  const { revision } = await store.append(conversation.stream, 'no_stream', [
    toAppend(conversation, created),
  ]);
  return { conversation, token, revision };
}

const toAppend = ({ account }: Conversation, event: AgentSessionEvent) => ({
  ...event,
  id: randomUUID(),
  metadata: metadataBy(account),
});

interface Listening extends OpenStream {
  readonly talk: Talk;
}

/** Resolves once the stream has opened. */
async function listen(port: number, talk: Talk): Promise<Listening> {
  const path = `/v1/agent-sessions/${talk.conversation.id}/transcript`;
  const headers = { authorization: `Bearer ${talk.token}` };
  return { talk, ...(await openStream({ port, path, headers, event: 'transcript.entry', openAfter: 0 })) };
}

/** Milliseconds from before each append until each of its listeners had the entry. */
async function appendAndHear(
  store: EventStore,
  talks: readonly Talk[],
  open: readonly Listening[],
): Promise<readonly number[]> {
  const saidAt = new Map<Talk, number[]>(talks.map((talk) => [talk, []]));
  const startedAt = performance.now();
  for (let index = 0; index < appends; index += 1) {
    const due = startedAt + (1000 * index) / appendsPerSecond;
    await delay(Math.max(0, due - performance.now()));
    const talk = talks[index % talks.length];
    if (talk === undefined) continue;
    const entry = toAppend(talk.conversation, await talk.conversation.logged(`Said as number ${index}.`));
    saidAt.get(talk)?.push(performance.now());
    ({ revision: talk.revision } = await store.append(talk.conversation.stream, talk.revision, [entry]));
  }
  const saidTo = ({ talk }: Listening) => saidAt.get(talk) ?? [];
  await until(() => open.every((each) => each.arrivedAt.length >= saidTo(each).length), { limitMs: 30_000 });
  return open.flatMap((each) => saidTo(each).map((at, index) => (each.arrivedAt[index] ?? at) - at));
}
