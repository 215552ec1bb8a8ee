import { expect } from 'chai';
import type { AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import {
  aKey,
  aSession,
  anAccount,
  by,
  destroyed,
  ready,
  requested,
  sessionStream,
} from '../../projections/testing/index.ts';
import { streamsPerAccount } from '../engine/event-streams.ts';
import { startReadApi, type ReadApi } from '../testing.ts';
import { read } from '../transcript/testing.ts';
import type { FeedPage } from './listener.ts';
import { pastFeeds } from './past.ts';

const nothing: FeedPage = { frames: '', place: ['-1', '-1'], hasMore: false };

const requestOf = (accountId: AccountId, pageAfter: () => Promise<FeedPage>) => ({
  ...{ accountId, actorId: accountId, credentialId: aKey() },
  ...{ after: nothing.place, pageAfter },
});

describe('the streams of feeds', () => {
  const running: ReadApi[] = [];
  const start = async (heartbeatMs: number) => {
    const api = await startReadApi({ heartbeatMs });
    running.push(api);
    api.project();
    return api;
  };
  afterEach(() => Promise.all(running.splice(0).map((each) => each.close())));

  const open = async ({ feeds }: ReadApi, account: AccountId, pageAfter: () => Promise<FeedPage>) => {
    const stream = await feeds.stream(requestOf(account, pageAfter));
    if (stream === null) throw new Error('There are too many streams.');
    return stream;
  };
  const sessionOf = async (api: ReadApi, account: AccountId) => {
    const id = aSession();
    const events = [requested(id, account), ready(id), destroyed(id)];
    await api.append(sessionStream(id), events, by(account));
  };
  const beats = ({ sent }: ReturnType<typeof read>) => sent().match(/heartbeat/g)?.length ?? 0;

  it('read when their account has a new event, and not when others do', async () => {
    const api = await start(3_600_000);
    const [busy, quiet] = [anAccount(), anAccount()];
    const reads = new Map([busy, quiet].map((account) => [account, 0]));
    const counted = (account: AccountId) => async () => {
      reads.set(account, (reads.get(account) ?? 0) + 1);
      return nothing;
    };
    for (const account of [quiet, quiet, quiet, busy]) read(await open(api, account, counted(account)));
    const eventOfBusy = async () => {
      const before = reads.get(busy) ?? 0;
      await sessionOf(api, busy);
      await until(() => (reads.get(busy) ?? 0) > before);
    };
    // Each is read when it is opened, and once the read model has all that was in the log then.
    await until(() => (reads.get(quiet) ?? 0) >= 6 && reads.get(busy) === 2);
    await eventOfBusy();
    const before = reads.get(quiet);
    for (let events = 0; events < 20; events += 1) await eventOfBusy();
    expect(reads.get(quiet)).to.equal(before);
  });

  it('cut off a client that does not read, and no other', async () => {
    const api = await start(20);
    let pages = 0;
    const long = async () => {
      pages += 1;
      return { ...nothing, frames: ': x\n\n'.repeat(20_000), hasMore: true };
    };
    const idle = await open(api, anAccount(), long);
    const other = read(await open(api, anAccount(), async () => nothing));
    idle.read(0);
    await until(() => idle.destroyed);
    expect(pages).to.equal(1);
    const seen = beats(other);
    await until(() => beats(other) > seen + 3);
    expect(other.outcome()).to.equal('open');
  });

  it('go on where they were after a page that could not be read, and end with a refusal', async () => {
    const api = await start(20);
    let answer = async (): Promise<FeedPage> => {
      throw new Error('Postgres is away.');
    };
    const reader = read(await open(api, anAccount(), () => answer()));
    await until(() => beats(reader) > 2);
    answer = async () => ({ ...nothing, frames: 'event: notification\nid: 7\ndata: {}\n\n' });
    await until(() => reader.indexes().includes(7));
    answer = async () => {
      throw refuse('revoked-key');
    };
    await until(() => reader.outcome() === 'ended');
  });

  it('end when the process stops, and so does any that is asked for later', async () => {
    const api = await start(3_600_000);
    const page = async () => nothing;
    const reader = read(await open(api, anAccount(), page));
    await until(() => reader.sent() !== '');
    api.feeds.end();
    await until(() => reader.outcome() === 'ended');
    const late = read(await open(api, anAccount(), page));
    await until(() => late.outcome() === 'ended');
    await until(() => api.feeds.count() === 0);
  });
});

describe('the streams of feeds of a past', () => {
  it('end with the last event, and are as many for an account as those of the present', async () => {
    const feeds = pastFeeds();
    const account = anAccount();
    let pages = 0;
    const page = async () => {
      pages += 1;
      return { ...nothing, frames: `id: ${pages}\n\n`, hasMore: pages < 3 };
    };
    const open = () => feeds.stream(requestOf(account, page));
    const streams = await Promise.all(Array.from({ length: streamsPerAccount }, open));
    expect(await open()).to.equal(null);
    const [first] = streams;
    if (!first) throw new Error('A stream is open.');
    const reader = read(first);
    await until(() => reader.outcome() === 'ended');
    expect(reader.sent()).to.equal(': stream open\n\nid: 1\n\nid: 2\n\nid: 3\n\n');
    feeds.end();
    await until(() => feeds.count() === 0);
  });
});
