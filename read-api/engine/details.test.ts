import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { parsePosition } from '../../infra/event-store/client/position.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { RequestFacts } from '../../infra/http/index.ts';
import { systemClock } from '../../infra/platform/clock.ts';
import { gate, until } from '../../infra/verification/testbed/index.ts';
import { createDetails } from './details.ts';
import type { Asked, Resource } from './resource.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const created = new Date('2026-01-05T12:00:00.000Z');

function eventAt(n: number): RecordedEvent {
  const id = `0197f1a0-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const occurred = { occurred_at: created.toISOString(), schema_version: 1 };
  return {
    ...{ id, stream: 'thing-1', category: 'thing', type: 'ThingCounted', data: { n }, created },
    ...{ revision: BigInt(n), position: { commit: BigInt(n), prepare: BigInt(n) } },
    metadata: {
      ...{ correlation_id: id, causation_id: id, request_id: null, ...occurred },
      actor: { kind: 'system', account_id: null },
    },
  };
}

/** A stream of events; `kept`: how many of them are still in memory once the last one has been read. */
function longStream(length: number) {
  const read: WeakRef<RecordedEvent>[] = [];
  let kept = length;
  return {
    kept: () => kept,
    async *readStream() {
      for (let n = 1; n <= length; n += 1) {
        const event = eventAt(n);
        read.push(new WeakRef(event));
        yield event;
      }
      // Weak references hold their targets until the end of the current job.
      await setImmediate();
      collectGarbage();
      kept = read.filter((each) => each.deref() !== undefined).length;
    },
  };
}

interface Thing {
  readonly n: number;
}

const found = {
  ...{ row: { n: 0 }, streams: ['thing-1'], freshness: { headers: {} } },
  ...{ seen: { commit: 1000n, prepare: 1000n }, stale: false },
};
const things: Resource<Thing, Asked<null>> = {
  find: async () => found,
  fold: (_row, { revision }) => ({ n: Number(revision) }),
  stored: (row) => row,
  show: (row) => row,
};
const request: RequestFacts = {
  ...{ id: 'req_1', operation: 'things.past', ungated: [], ip: null, userAgent: null },
  role: 'member',
  ...{ idempotencyKey: null, credentialInQuery: null, header: () => undefined },
};

describe('what has changed between two moments', () => {
  it('is told without keeping the events of a long stream in memory', async () => {
    const store = longStream(500);
    const details = createDetails({
      store,
      vault: { open: async () => ({ text: '' }) },
      cursors: { encode: () => '', decode: () => undefined },
      momentIn: async (_parameter, text) => ({
        position: parsePosition(text) ?? found.seen,
        at: created,
      }),
      clock: systemClock,
    });
    const { body } = await details('things', things)['things.past'].run({
      ...{ caller: null, params: {}, request, found },
      query: { from: '7/7', to: '900/900' },
    });
    expect(body)
      .to.have.nested.property('data[0].changes')
      .deep.equal([{ path: '/n', before: 7, after: 500 }]);
    expect(store.kept()).to.be.below(10);
  });
});

describe('pasts', () => {
  it('are folded a few at once, accounts in turn', async () => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const details = createDetails({
      store: {
        async *readStream(stream) {
          begun.push(stream);
          const over = gate();
          ends.push(over.open);
          await over.pass();
          yield eventAt(1);
        },
      },
      vault: { open: async () => ({ text: '' }) },
      cursors: { encode: () => '', decode: () => undefined },
      momentIn: async () => ({ position: found.seen, at: created }),
      clock: systemClock,
    });
    const { run } = details('things', things)['things.get'];
    const asOf = (accountId: string) =>
      run({
        ...{ caller: { accountId } as unknown as null, params: {}, request },
        ...{ found: { ...found, streams: [accountId] }, query: { as_of: '7/7' } },
      });
    const all = ['large', 'large', 'large', 'large', 'other'].map(asOf);
    await until(() => begun.length === 3);
    expect(begun.toSorted()).to.deep.equal(['large', 'large', 'other']);
    ends[0]?.();
    await until(() => begun.length === 4);
    ends[1]?.();
    await until(() => begun.length === 5);
    ends.forEach((end) => end());
    await Promise.all(all);
  });
});
