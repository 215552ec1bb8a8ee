import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { gate, until } from '../../infra/verification/testbed/index.ts';
import { customerUuid } from '../card-billing/index.ts';
import { newCaller, useStore } from '../session/testing.ts';
import { cardEventsManager } from './card-billing.ts';
import { startFollowing } from './engine/testing.ts';

const at = '2026-01-05T12:00:00.000Z';
const metadata = {
  ...{ correlation_id: 'test', causation_id: 'test', schema_version: 1, request_id: null },
  actor: { kind: 'system', account_id: null },
  occurred_at: at,
} as const;

describe('callbacks of the card processor', () => {
  const opened = useStore();

  const receive = async (customerId: string): Promise<void> => {
    const ids = { customerId, subscriptionId: null, invoiceId: null };
    const data = { eventId: uuidv7(), kind: 'invoice.paid', ...ids, createdAt: at, at };
    await opened.store.append(`processor_event-${uuidv7()}`, 'no_stream', [
      { id: uuidv7(), type: 'CardEventReceived', data, metadata },
    ]);
  };

  it('occupy one place of the host for each customer, however many wait', async () => {
    const [busy, other] = [
      { customerId: `cus_${uuidv7()}`, accountId: newCaller().accountId },
      { customerId: `cus_${uuidv7()}`, accountId: newCaller().accountId },
    ];
    for (const { customerId } of [...Array<typeof busy>(20).fill(busy), other]) await receive(customerId);
    const blocked = gate();
    const asked: string[] = [];
    const ports = {
      runner: {
        load: async (_decider: unknown, uuid: string) => {
          const owner = [busy, other].find(({ customerId }) => customerUuid(customerId) === uuid);
          return { state: owner ? { status: 'linked', accountId: owner.accountId } : { status: 'none' } };
        },
      },
      observe: async (accountId: string) => {
        asked.push(accountId);
        if (accountId === busy.accountId) await blocked.pass();
        return false;
      },
      onCallback: () => undefined,
    } as unknown as Parameters<typeof cardEventsManager>[0];
    const managers = [cardEventsManager(ports)];
    const host = startFollowing({ store: opened.store, managers, concurrency: 4 });
    await until(() => asked.includes(other.accountId));
    expect(asked).to.have.members([busy.accountId, other.accountId]);
    blocked.open();
    await until(() => asked.length === 21);
    await host.close();
  });
});
