import { expect } from 'chai';
import { systemClock } from '../../infra/platform/clock.ts';
import { gate, until } from '../../infra/verification/testbed/index.ts';
import { logger } from '../../projections/testing/index.ts';
import { startReadApi, type ReadApi } from '../testing.ts';
import { createTranscripts, type HubOptions, type Transcripts } from './hub.ts';
import { read, talking, write, type Talk } from './testing.ts';

describe('the reads of transcripts', () => {
  let api: ReadApi;
  const hubs: Transcripts[] = [];
  before(async () => (api = await startReadApi()));
  afterEach(async () => {
    for (const hub of hubs.splice(0)) {
      hub.end();
      await hub.close();
    }
  });
  after(() => api.close());

  /** A hub whose reads of streams wait for `ends`. `begun`: the streams, in the order of the reads. */
  const startHeldHub = () => {
    const { store, vault } = api;
    const begun: string[] = [];
    const ends = gate();
    const held: HubOptions['store'] = {
      ...{ head: () => store.head(), subscribe: (...asked) => store.subscribe(...asked) },
      async *readStream(...asked) {
        begun.push(asked[0]);
        await ends.pass();
        yield* store.readStream(...asked);
      },
    };
    const hub = createTranscripts({
      ...{ store: held, pool: api.postgres.pool, vault, clock: systemClock, logger },
    });
    hubs.push(hub);
    return { hub, begun, ends };
  };
  const open = async (hub: Transcripts, { id, account, key }: Talk) => {
    const stream = await hub.stream(id, {
      ...{ accountId: account, actorId: account, credentialId: key.id },
      ...{ after: -1, finalLength: null, recheck: async () => null },
    });
    if (stream === null) throw new Error('There are too many streams.');
    return stream;
  };

  it('are a few searches for pages at once, accounts in turn', async () => {
    const { hub, begun, ends } = startHeldHub();
    const [large, other] = [await talking(api), await talking(api)];
    const page = ({ id, account }: Talk) => hub.entries(id, account, 0n, 10);
    const pages = [large, large, large, large, large, other].map(page);
    await until(() => begun.length === 3);
    ends.open();
    await Promise.all(pages);
    expect(begun.slice(0, 3).toSorted()).to.deep.equal([large.stream, large.stream, other.stream].toSorted());
  });

  it('are a few batches for listeners at once, accounts in turn, and none for a client that has left', async () => {
    const { hub, begun, ends } = startHeldHub();
    const [large, other] = [await talking(api), await talking(api)];
    for (const talk of [large, other]) await write(api, talk, await talk.logged('zero'));
    const left = await open(hub, large);
    const staying: ReturnType<typeof read>[] = [];
    for (const talk of [large, large, large, large, other]) staying.push(read(await open(hub, talk)));
    const leaving = read(left);
    await until(() => begun.includes(other.stream));
    expect(begun.toSorted()).to.deep.equal([large.stream, large.stream, other.stream].toSorted());
    left.destroy();
    await until(() => leaving.outcome() === 'cut');
    ends.open();
    await until(() => staying.every(({ indexes }) => indexes().length === 1));
    expect(begun).to.have.length(staying.length);
  });
});
