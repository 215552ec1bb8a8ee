import { expect } from 'chai';
import fc from 'fast-check';
import { BACKWARDS, END, type AppendExpectedRevision } from '@eventstore/db-client';
import { collect, happened, numbers, startTestStore, type TestStore } from './testing.ts';

const STREAMS = 4;

interface Append {
  readonly stream: number;
  readonly size: number;
  readonly expected: 'any' | 'no_stream' | 'stream_exists' | 'right' | 'wrong';
}

const appends = fc.array(
  fc.record({
    stream: fc.nat({ max: STREAMS - 1 }),
    size: fc.integer({ min: 1, max: 5 }),
    expected: fc.constantFrom<Append['expected'][]>('any', 'no_stream', 'stream_exists', 'right', 'wrong'),
  }),
  { maxLength: 25 },
);

/** The store as a list: the specification of an append in its simplest form. */
class Model {
  readonly all: { readonly stream: string; readonly n: number }[] = [];

  of(stream: string): number[] {
    return this.all.filter((event) => event.stream === stream).map(({ n }) => n);
  }

  expectedRevision(stream: string, expected: Append['expected']): AppendExpectedRevision {
    const last = BigInt(this.of(stream).length - 1);
    if (expected === 'right') return last < 0n ? 'no_stream' : last;
    return expected === 'wrong' ? last + 1n : expected;
  }

  accepts(stream: string, expected: Append['expected']): boolean {
    const exists = this.of(stream).length > 0;
    return { any: true, no_stream: !exists, stream_exists: exists, right: true, wrong: false }[expected];
  }
}

describe('the embedded event store against a list', () => {
  let store: TestStore;
  let run = 0;
  before(async () => void (store = await startTestStore()));
  after(() => store.close());

  async function apply(model: Model, name: string, { stream, size, expected }: Append): Promise<void> {
    const streamName = `${name}-${stream}`;
    const first = model.all.length;
    const events = Array.from({ length: size }, (_, index) => happened(first + index));
    const expectedRevision = model.expectedRevision(streamName, expected);
    const outcome = await store.client.appendToStream(streamName, events, { expectedRevision }).then(
      () => 'accepted',
      () => 'refused',
    );
    expect(outcome).to.equal(model.accepts(streamName, expected) ? 'accepted' : 'refused');
    if (outcome === 'accepted')
      for (const index of events.keys()) model.all.push({ stream: streamName, n: first + index });
  }

  it('agrees on any appends, read in both directions, whole and in part', async () => {
    await fc.assert(
      fc.asyncProperty(
        appends,
        fc.nat({ max: 30 }),
        fc.integer({ min: 1, max: 7 }),
        async (list, from, maxCount) => {
          const name = `run${run++}`;
          const model = new Model();
          for (const append of list) await apply(model, name, append);
          for (const stream of new Set(model.all.map((event) => event.stream))) {
            const expected = model.of(stream);
            const part = { fromRevision: BigInt(from), maxCount };
            expect(numbers(await collect(store.client.readStream(stream)))).to.deep.equal(expected);
            expect(numbers(await collect(store.client.readStream(stream, part)))).to.deep.equal(
              expected.slice(from, from + maxCount),
            );
            const backwards = store.client.readStream(stream, { direction: BACKWARDS, fromRevision: END });
            expect(numbers(await collect(backwards))).to.deep.equal([...expected].reverse());
            const partBackwards = store.client.readStream(stream, { ...part, direction: BACKWARDS });
            expect(numbers(await collect(partBackwards))).to.deep.equal(
              expected
                .slice(0, from + 1)
                .reverse()
                .slice(0, maxCount),
            );
          }
          const all = await collect(store.client.readAll());
          const mine = all.filter(({ event }) => event?.streamId.startsWith(`${name}-`));
          expect(numbers(mine)).to.deep.equal(model.all.map(({ n }) => n));
        },
      ),
      { numRuns: 40 },
    );
  });
});
