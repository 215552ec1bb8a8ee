import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import { toId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { EventStoreUnavailable, type EventStore } from '../../infra/event-store/client/index.ts';
import { connectPostgres, migrate, postgresMigrations, type Postgres } from '../../infra/postgres/index.ts';
import {
  freshDatabase,
  startEventLog,
  until,
  type TestDatabase,
  type TestEventLog,
} from '../../infra/verification/testbed/index.ts';
import { systemClock } from '../../infra/platform/clock.ts';
import { Conversation } from '../../projections/testing/agent-sessions.ts';
import { anAccount, metadataBy } from '../../projections/testing/index.ts';
import { read } from './testing.ts';
import { createTranscripts, type HubOptions, type StreamRequest, type Transcripts } from './hub.ts';

const logger = pino({ level: 'silent' });

describe('the fan-out of transcripts', () => {
  let log: TestEventLog;
  let store: EventStore;
  let database: TestDatabase;
  let postgres: Postgres;
  const hubs: Transcripts[] = [];
  before(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger });
    await migrate(postgres.pool, postgresMigrations);
  });
  beforeEach(async () => {
    log = await startEventLog();
    store = log.connect({ logger, readDeadlineMs: 500 });
  });
  afterEach(async () => {
    for (const hub of hubs.splice(0)) {
      hub.end();
      await hub.close();
    }
    await store.close();
    await log.close();
  });
  after(async () => {
    await postgres.close();
    await database.drop();
  });

  /** Seals nothing, so that a test can choose texts that cannot be opened. */
  const vault = {
    seal: async (_owner: string, _field: string, sealed: string) => sealed,
    open: async (_owner: string, _field: string, sealed: string) => ({ text: sealed }),
  };
  const startHub = (options: Partial<HubOptions> = {}): Transcripts => {
    const hub = createTranscripts({
      ...{ store, pool: postgres.pool, vault, clock: systemClock, logger, heartbeatMs: 20 },
      ...options,
    });
    hubs.push(hub);
    return hub;
  };
  const talking = async (): Promise<Conversation> => {
    const talk = new Conversation(anAccount(), vault.seal);
    await append(talk, talk.created());
    return talk;
  };
  const append = (talk: Conversation, ...events: readonly { type: string; data: unknown }[]) =>
    store.append(
      talk.stream,
      'any',
      events.map((event) => ({ ...event, id: randomUUID(), metadata: metadataBy(talk.account) })),
    );
  /** A stream of the account itself, by a key. */
  const requestOf = ({ account }: Conversation): StreamRequest => ({
    ...{ accountId: account, actorId: account, credentialId: toId('apiKey', randomUUID()) },
    ...{ after: -1, finalLength: null, recheck: async () => null },
  });
  const open = async (hub: Transcripts, talk: Conversation, asked: Partial<StreamRequest> = {}) => {
    const request = { ...requestOf(talk), ...asked };
    const stream = await hub.stream(talk.id, request);
    if (stream === null) throw new Error('There are too many streams.');
    return stream;
  };
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('has no gap and nothing twice, whenever a listener comes while entries do', async () => {
    const [hub, talk] = [startHub(), await talking()];
    const readers: ReturnType<typeof read>[] = [];
    const entries = 300;
    const writing = (async () => {
      for (let index = 0; index < entries; index += 1)
        await append(talk, await talk.logged(`entry ${index}`));
    })();
    const accounts = Array.from({ length: 10 }, () => anAccount());
    for (let joined = 0; joined < 60; joined += 1) {
      const stream = await open(hub, talk, { accountId: accounts[joined % 10] ?? talk.account });
      readers.push(read(stream));
      if (joined % 3 === 0) stream.destroy();
      await until(() => true, { everyMs: 1 });
    }
    await writing;
    const kept = readers.filter(({ outcome }) => outcome() === 'open');
    expect(kept.length).to.be.greaterThan(20);
    await until(() => kept.every(({ indexes }) => indexes().length >= entries));
    for (const { indexes } of kept) expect(indexes()).to.deep.equal(upTo(entries));
  });

  it('goes on after the event store was away, with what was said meanwhile', async () => {
    const [hub, talk] = [startHub(), await talking()];
    await append(talk, await talk.logged('zero'));
    const reader = read(await open(hub, talk));
    await until(() => reader.indexes().length === 1);
    await log.stop();
    const other = await talk.logged('one');
    await log.start();
    await until(() => append(talk, other));
    await append(talk, await talk.logged('two'));
    await until(() => reader.indexes().length >= 3 || reader.outcome() !== 'open');
    expect([reader.indexes(), reader.outcome()]).to.deep.equal([upTo(3), 'open']);
  });

  it('says that it cannot begin while the event store is away, and begins when it is back', async () => {
    const [hub, talk] = [startHub(), await talking()];
    await log.stop();
    const failure = await open(hub, talk).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.be.instanceOf(EventStoreUnavailable);
    await log.start();
    const reader = read(await until(() => open(hub, talk)));
    await append(talk, await talk.logged('zero'));
    await until(() => reader.indexes().length === 1);
  });

  it('ends the streams of a subscription that ended for good, and begins another for the next', async () => {
    const talk = await talking();
    let broken = false;
    const failing: HubOptions['store'] = {
      ...store,
      subscribe: (options) => {
        const subscription = store.subscribe(options);
        if (broken) return subscription;
        broken = true;
        const messages = (async function* () {
          for await (const message of subscription) {
            yield message;
            if (message.kind === 'event') throw new Error('The subscription is not allowed.');
          }
        })();
        return { [Symbol.asyncIterator]: () => messages, close: () => subscription.close() };
      },
    };
    const hub = startHub({ store: failing });
    const first = read(await open(hub, talk));
    await append(talk, await talk.logged('zero'));
    await until(() => first.outcome() === 'cut');
    const second = read(await open(hub, talk));
    await append(talk, await talk.logged('one'));
    await until(() => second.indexes().length === 2);
  });

  it('cuts a listener that is 1 MiB behind, and no other', async () => {
    const [hub, talk] = [startHub(), await talking()];
    const [idle, reading] = [await open(hub, talk), read(await open(hub, talk))];
    let cut = false;
    idle.once('close', () => (cut = true)).once('error', () => undefined);
    // Reads the available bytes, then stops reading.
    idle.read(0);
    await until(() => idle.readableLength > 0);
    idle.read();
    const body = 'x'.repeat(100_000);
    for (let entries = 0; entries < 15; entries += 1) {
      await append(talk, await talk.logged(body));
      await until(() => reading.indexes().length === entries + 1);
    }
    expect(cut).to.equal(true);
    expect(reading.outcome()).to.equal('open');
  });

  it('reads a long transcript no faster than its listener does', async () => {
    const [hub, talk] = [startHub(), await talking()];
    const body = 'x'.repeat(50_000);
    for (let entries = 0; entries < 100; entries += 1) await append(talk, await talk.logged(body));
    const stream = await open(hub, talk);
    let longest = 0;
    const indexes: number[] = [];
    for await (const chunk of stream) {
      longest = Math.max(longest, stream.readableLength);
      for (const [, id] of String(chunk).matchAll(/^id: (\d+)$/gm)) indexes.push(Number(id));
      if (indexes.length === 100) break;
    }
    expect(indexes).to.deep.equal(upTo(100));
    expect(longest).to.be.lessThan(200_000);
  });

  it('cuts its listeners rather than pass over an entry that cannot be opened just now', async () => {
    let isAway = false;
    const away = {
      open: async (_owner: string, _field: string, sealed: string) => {
        if (isAway) throw new Error('Postgres is away.');
        return { text: sealed };
      },
    };
    const [hub, talk] = [startHub({ vault: away }), await talking()];
    const first = read(await open(hub, talk));
    await append(talk, await talk.logged('zero'));
    await until(() => first.indexes().length === 1);
    isAway = true;
    await append(talk, await talk.logged('one'));
    await until(() => first.outcome() === 'cut');
    isAway = false;
    const second = read(await open(hub, talk, { after: 0 }));
    await until(() => second.indexes().length === 1);
    expect([first.indexes(), second.indexes()]).to.deep.equal([[0], [1]]);
  });

  it('asks again at each heartbeat whether a listener may: a refusal ends it, what cannot be asked does not', async () => {
    const [hub, talk] = [startHub(), await talking()];
    let answer = (): number | null => null;
    const reader = read(await open(hub, talk, { recheck: async () => answer() }));
    answer = () => {
      throw new Error('Postgres is away.');
    };
    const beats = () => reader.sent().match(/heartbeat/g)?.length ?? 0;
    await until(() => beats() > 3);
    expect(reader.outcome()).to.equal('open');
    answer = () => {
      throw refuse('revoked-key');
    };
    await until(() => reader.outcome() === 'ended');
  });

  it('reads once more as soon as a client listens: what has ended meanwhile would not be sent again', async () => {
    const [hub, talk] = [startHub({ heartbeatMs: 3_600_000 }), await talking()];
    const recheck = async () => {
      throw refuse('revoked-key');
    };
    const reader = read(await open(hub, talk, { recheck }));
    await until(() => reader.outcome() === 'ended');
  });

  it('ends a stream whose session is found closed, once it has sent the last entry', async () => {
    const [hub, talk] = [startHub(), await talking()];
    const reader = read(await open(hub, talk, { recheck: async () => 1 }));
    await until(() => (reader.sent().match(/heartbeat/g)?.length ?? 0) > 2);
    expect(reader.outcome()).to.equal('open');
    await append(talk, await talk.logged('the last'));
    await until(() => reader.outcome() === 'ended');
    expect(reader.indexes()).to.deep.equal([0]);
  });

  it('counts the streams of an account over all processes, and takes those of a closed one off', async () => {
    const [one, other, talk] = [startHub(), startHub(), await talking()];
    const request = requestOf(talk);
    const opened = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? one : other).stream(talk.id, request)),
    );
    expect(opened.filter((stream) => stream !== null)).to.have.length(10);
    await one.close();
    await until(() => other.stream(talk.id, request));
  });

  it('ends its streams when the process stops, and any that is asked for later', async () => {
    const [hub, talk] = [startHub(), await talking()];
    await append(talk, await talk.logged('zero'));
    const reader = read(await open(hub, talk));
    await until(() => reader.indexes().length === 1);
    hub.end();
    await until(() => reader.outcome() === 'ended');
    const late = read(await open(hub, talk));
    await until(() => late.outcome() === 'ended');
    expect(hub.count()).to.equal(0);
  });
});
