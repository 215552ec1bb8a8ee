import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { toId, uuidOf, type OrderId } from '../../contracts/ids.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { withReceipt, type KeyedWork } from '../receipt/index.ts';
import { createRunner } from '../engine/runner.ts';
import { receiptSeals } from '../receipt/testing.ts';
import { newCaller, openStore, quiet, TestClock } from '../session/testing.ts';
import { abandon } from './checkout.ts';

describe('an order whose request died before it was placed', () => {
  let opened: Awaited<ReturnType<typeof openStore>>;
  before(async () => {
    opened = await openStore();
  });
  after(() => opened.close());

  it('is abandoned by events with ids of their own', async () => {
    const { store } = opened;
    const clock = new TestClock();
    const runner = createRunner({ store, logger: quiet, cacheEntries: 10 });
    const accountId = toId('account', uuidv7());
    const ask = async (run: () => Promise<never>): Promise<OrderId> => {
      const caller = newCaller('free', 1, accountId);
      const id = toId('order', uuidv7());
      const work: KeyedWork<OrderId, never> = {
        newId: () => id,
        run,
        outcome: () => Promise.resolve({ kind: 'absent' }),
        withdraw: (died) => abandon({ runner, clock, payments: undefined }, caller, died),
      };
      const request = { caller, route: 'crypto-orders.create', key, body: {} } as const;
      const ports = {
        ...{ runner, clock, retentionMs: 86_400_000, beginsWithinMs: 1_000 },
        ...receiptSeals,
      };
      const answered = withReceipt(ports, request, work, () => {
        throw new Error('Nothing is answered here.');
      });
      await answered.catch((error: unknown) => expect(error).to.have.property('message', 'killed'));
      return id;
    };
    const key = randomUUID();
    const died = await ask(() => Promise.reject(new Error('killed')));
    clock.advance(1_000);
    await ask(() => Promise.reject(new Error('killed')));

    const events: RecordedEvent[] = [];
    for await (const event of store.readAll()) events.push(event);
    expect(events.map(({ type }) => type)).to.include.members(['OrderAbandoned', 'ReceiptAbandoned']);
    expect(events.find(({ type }) => type === 'OrderAbandoned')?.stream).to.equal(`order-${uuidOf(died)}`);
    expect(new Set(events.map(({ id }) => id)).size).to.equal(events.length);
  });
});
