import { expect } from 'chai';
import { BACKWARDS, END, FORWARDS, jsonEvent, START, StreamNotFoundError } from '@eventstore/db-client';
import { collect, failure, happened, numbers, startTestStore, type TestStore } from './testing.ts';

describe('reading the embedded event store', () => {
  let store: TestStore;
  before(async () => void (store = await startTestStore()));
  after(() => store.close());

  describe('a stream', () => {
    before(async () => {
      for (let n = 0; n < 10; n += 5) {
        await store.client.appendToStream(
          'ten-1',
          Array.from({ length: 5 }, (_, k) => happened(n + k)),
        );
      }
    });

    for (const [options, expected] of [
      [{}, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
      [{ maxCount: 3 }, [0, 1, 2]],
      [{ fromRevision: 7n }, [7, 8, 9]],
      [{ fromRevision: 7n, maxCount: 1 }, [7]],
      [{ fromRevision: 99n }, []],
      [{ fromRevision: END }, []],
      [{ direction: BACKWARDS, fromRevision: END }, [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]],
      [{ direction: BACKWARDS, fromRevision: END, maxCount: 2 }, [9, 8]],
      [{ direction: BACKWARDS, fromRevision: 2n }, [2, 1, 0]],
      [{ direction: BACKWARDS, fromRevision: 99n, maxCount: 2 }, [9, 8]],
      [{ direction: BACKWARDS, fromRevision: START }, [0]],
    ] as const) {
      const text = JSON.stringify(options, (_key, value: unknown) =>
        typeof value === 'bigint' ? `${value}n` : value,
      );
      it(`gives ${expected.length === 0 ? 'nothing' : expected.join(' ')} for ${text}`, async () => {
        expect(numbers(await collect(store.client.readStream('ten-1', options)))).to.deep.equal(expected);
      });
    }

    it('is not found if nothing was ever appended to it', async () => {
      const error = await failure(collect(store.client.readStream('never-1')));
      expect(error).to.be.instanceOf(StreamNotFoundError);
      expect(error).to.include({ streamName: 'never-1' });
    });
  });

  describe('$all', () => {
    it('returns events in the order of their positions, in both directions', async () => {
      await Promise.all(
        Array.from({ length: 30 }, (_, n) => store.client.appendToStream(`all-${n % 3}`, happened(n))),
      );
      const forwards = await collect(store.client.readAll());
      const backwards = await collect(store.client.readAll({ direction: BACKWARDS, fromPosition: END }));
      const positions = forwards.map(({ event }) => event?.position.commit ?? 0n);
      expect(positions).to.deep.equal([...positions].sort((a, b) => Number(a - b)));
      expect(new Set(positions).size).to.equal(positions.length);
      expect(backwards.map(({ event }) => event?.id)).to.deep.equal(
        forwards.map(({ event }) => event?.id).reverse(),
      );
      expect(forwards.map(({ commitPosition }) => commitPosition)).to.deep.equal(positions);
    });

    it('starts at a position, which is inclusive forwards and exclusive backwards', async () => {
      const all = await collect(store.client.readAll());
      const middle = all[20]?.event?.position ?? { commit: 0n, prepare: 0n };
      const forwards = await collect(store.client.readAll({ fromPosition: middle, maxCount: 2 }));
      const backwards = await collect(
        store.client.readAll({ fromPosition: middle, direction: BACKWARDS, maxCount: 1 }),
      );
      const id = (index: number): string | undefined => all[index]?.event?.id;
      expect(forwards.map(({ event }) => event?.id)).to.deep.equal([id(20), id(21)]);
      expect(backwards.map(({ event }) => event?.id)).to.deep.equal([id(19)]);
    });

    it('returns nothing forwards from the end or backwards from the start', async () => {
      expect(await collect(store.client.readAll({ fromPosition: END }))).to.deep.equal([]);
      expect(
        await collect(store.client.readAll({ fromPosition: START, direction: BACKWARDS })),
      ).to.deep.equal([]);
    });
  });

  describe('links', () => {
    before(async () => {
      await store.client.appendToStream('target-1', [happened(1), happened(2)]);
      const links = ['1@target-1', '7@target-1', '0@nowhere-1', 'nonsense'];
      await store.server.appendUnchecked(
        'links-1',
        links.map((data) => ({
          id: crypto.randomUUID(),
          type: '$>',
          contentType: 'application/octet-stream',
          data: Buffer.from(data),
          metadata: new Uint8Array(),
        })),
      );
    });

    it('are returned as they are unless resolution is requested', async () => {
      const [link] = await collect(store.client.readStream('links-1'));
      expect(link?.event?.type).to.equal('$>');
      expect(link?.link).to.equal(undefined);
    });

    it('are resolved to their event in a stream; link and event have their own positions', async () => {
      const [first] = await collect(
        store.client.readStream('links-1', { resolveLinkTos: true, maxCount: 1 }),
      );
      const { event, link } = first ?? {};
      expect(event).to.deep.include({ streamId: 'target-1', revision: 1n, data: { n: 2 } });
      expect(link).to.deep.include({ streamId: 'links-1', revision: 0n });
      const [, target] = await collect(store.client.readStream('target-1'));
      const [unresolved] = await collect(store.client.readStream('links-1'));
      expect(event?.position).to.deep.equal(target?.event?.position);
      expect(link?.position).to.deep.equal(unresolved?.event?.position);
      expect(first?.commitPosition).to.equal(link?.position?.commit);
    });

    it('are returned alone if their target is missing', async () => {
      const links = await collect(store.client.readStream('links-1', { resolveLinkTos: true }));
      expect(links.map(({ event, link }) => [event !== undefined, link?.revision])).to.deep.equal([
        [true, 0n],
        [false, 1n],
        [false, 2n],
        [false, 3n],
      ]);
    });

    it('are resolved in $all too', async () => {
      const all = await collect(store.client.readAll({ resolveLinkTos: true }));
      const resolved = all.filter(({ link }) => link?.streamId === 'links-1');
      expect(resolved).to.have.length(4);
      expect(resolved[0]?.event?.streamId).to.equal('target-1');
    });
  });

  describe('the metadata of a stream', () => {
    const shown = async (stream: string, direction: typeof FORWARDS | typeof BACKWARDS = FORWARDS) => {
      const fromRevision = direction === FORWARDS ? START : END;
      return numbers(await collect(store.client.readStream(stream, { direction, fromRevision })));
    };
    const five = [0, 1, 2, 3, 4].map((n) => n);
    const fill = (stream: string) =>
      store.client.appendToStream(
        stream,
        five.map((n) => happened(n)),
      );

    it('is what was set last', async () => {
      await store.client.setStreamMetadata('meta-1', { maxCount: 9, custom: 'x' });
      await store.client.setStreamMetadata('meta-1', { maxAge: 60 });
      const { metadata } = await store.client.getStreamMetadata('meta-1');
      expect(metadata).to.deep.equal({ maxAge: 60 });
      expect(await collect(store.client.readStream('$$meta-1'))).to.have.length(1);
    });

    it('limits how many events are shown, counted from the end', async () => {
      await fill('count-1');
      await store.client.setStreamMetadata('count-1', { maxCount: 2 });
      expect(await shown('count-1')).to.deep.equal([3, 4]);
      expect(await shown('count-1', BACKWARDS)).to.deep.equal([4, 3]);
    });

    it('hides events before a revision', async () => {
      await fill('truncated-1');
      await store.client.setStreamMetadata('truncated-1', { truncateBefore: 3 });
      expect(await shown('truncated-1')).to.deep.equal([3, 4]);
      expect(await shown('truncated-1', BACKWARDS)).to.deep.equal([4, 3]);
      await store.client.setStreamMetadata('truncated-1', { truncateBefore: 99 });
      expect(await shown('truncated-1')).to.deep.equal([]);
    });

    it('hides events that are too old', async () => {
      await fill('old-1');
      await store.client.setStreamMetadata('old-1', { maxAge: 3600 });
      expect(await shown('old-1')).to.deep.equal(five);
      await store.client.setStreamMetadata('old-1', { maxAge: 1 });
      const deadline = Date.now() + 5000;
      while ((await shown('old-1')).length > 0) expect(Date.now()).to.be.below(deadline);
    });

    it('leaves hidden events in the whole log', async () => {
      const events = await collect(store.client.readAll());
      expect(events.filter(({ event }) => event?.streamId === 'truncated-1')).to.have.length(5);
    });

    it('hides nothing if it is not JSON', async () => {
      await fill('odd-1');
      await store.client.appendToStream('$$odd-1', jsonEvent({ type: '$metadata', data: 'nonsense' }));
      expect(await shown('odd-1')).to.deep.equal(five);
    });
  });
});
