import { expect } from 'chai';
import fc from 'fast-check';
import { RecentIds } from './recent-ids.ts';

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('the cache of recent event ids', () => {
  it('finds an id with the stream that it was written to, and with no other', () => {
    const recent = new RecentIds(10);
    recent.add(idOf(1), 64, 4);
    expect(recent.find(idOf(1), 64)).to.equal(4);
    expect(recent.find(idOf(1), 128)).to.equal(undefined);
    expect(recent.find(idOf(1), undefined)).to.equal(undefined);
    expect(recent.find(idOf(2), 64)).to.equal(undefined);
  });

  it('evicts ids above its capacity, the oldest first', () => {
    const recent = new RecentIds(10);
    for (let n = 0; n < 1000; n++) recent.add(idOf(n), 64, n);
    const remembered = Array.from({ length: 1000 }, (_, n) => n).filter(
      (n) => recent.find(idOf(n), 64) === n,
    );
    expect(remembered.length).to.be.within(5, 10);
    expect(remembered.at(0)).to.equal(1000 - remembered.length);
  });

  it('has the revision and the stream of the last write of an id', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            // Few, so that some are written again: in either half of the table, and in adjacent slots.
            id: fc.oneof(fc.integer({ min: 0, max: 40 }).map(idOf), fc.uuid()),
            stream: fc.integer({ min: 0, max: 3 }).map((n) => 64 + n * 1_000_000_000_000),
            revision: fc.integer({ min: 0, max: 1_000_000 }),
          }),
          { maxLength: 200 },
        ),
        (written) => {
          const recent = new RecentIds(400);
          const last = new Map<string, { readonly stream: number; readonly revision: number }>();
          for (const { id, stream, revision } of written) {
            recent.add(id, stream, revision);
            last.set(id, { stream, revision });
          }
          for (const { id, stream } of written) {
            const expected = last.get(id);
            expect(recent.find(id, stream)).to.equal(
              expected?.stream === stream ? expected.revision : undefined,
            );
          }
          recent.clear();
          for (const { id, stream } of written) expect(recent.find(id, stream)).to.equal(undefined);
        },
      ),
    ));
});
