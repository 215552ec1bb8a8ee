import { expect } from 'chai';
import fc from 'fast-check';
import type { ReceiptEvent } from '../contracts/events/receipt.ts';
import { Refusal } from '../contracts/problems.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';
import { receipt, type Receipt, type ReceiptCommand } from './receipt.ts';

const at = '2026-01-01T00:00:00.000Z';
const expiresAt = '2026-01-02T00:00:00.000Z';
const admission = {
  accountId: 'acc_00000000-0000-4000-8000-000000000001',
  route: 'sessions.create',
  digest: 'hmac.a',
  resourceId: 'ses_1',
  expiresAt,
  at,
} as const;
const answer = { status: 201, contentType: 'application/json', body: 'sealed1.answer', sealed: true };

const event = eventBuilders<ReceiptEvent>({
  ReceiptAdmitted: admission,
  ReceiptSettled: { ...answer, at },
  ReceiptAbandoned: { at },
});
const command = commandBuilders<ReceiptCommand>({
  AdmitReceipt: { ...admission, otherDigests: ['sha256.a'] },
  SettleReceipt: { resourceId: 'ses_1', answer, at },
  AbandonReceipt: { resourceId: 'ses_1', at },
});
const { given } = deciderSpec(receipt);

describe('an idempotency receipt', () => {
  it('is admitted for the first request', () => {
    given().when(command.AdmitReceipt()).then(event.ReceiptAdmitted());
  });

  it('is not admitted again for the same request, in flight or settled', () => {
    const again = command.AdmitReceipt({ resourceId: 'ses_2' });
    given(event.ReceiptAdmitted()).when(again).nothing();
    given(event.ReceiptAdmitted(), event.ReceiptSettled()).when(again).nothing();
  });

  it('recognises a request that was admitted before digests had a key', () => {
    given(event.ReceiptAdmitted({ digest: 'sha256.a' }))
      .when(command.AdmitReceipt())
      .nothing();
    given(event.ReceiptAdmitted({ digest: 'sha256.b' }))
      .when(command.AdmitReceipt())
      .refused('conflict');
  });

  it('refuses another body, in flight or settled', () => {
    const other = command.AdmitReceipt({ digest: 'hmac.b', otherDigests: ['sha256.b'] });
    given(event.ReceiptAdmitted()).when(other).refused('conflict');
    given(event.ReceiptAdmitted(), event.ReceiptSettled()).when(other).refused('conflict');
  });

  it('keeps the answer as it was given', () => {
    given(event.ReceiptAdmitted())
      .when(command.SettleReceipt())
      .leaves((state) => expect(state).to.deep.include({ status: 'settled', answer }));
  });

  it('is settled once, and only for the resource it was admitted for', () => {
    given(event.ReceiptAdmitted()).when(command.SettleReceipt()).then(event.ReceiptSettled());
    given(event.ReceiptAdmitted(), event.ReceiptSettled()).when(command.SettleReceipt()).nothing();
    given(event.ReceiptAdmitted())
      .when(command.SettleReceipt({ resourceId: 'ses_2' }))
      .nothing();
  });

  it('is free again when abandoned, with any body', () => {
    given(event.ReceiptAdmitted()).when(command.AbandonReceipt()).then(event.ReceiptAbandoned());
    const other = { digest: 'hmac.b' };
    given(event.ReceiptAdmitted(), event.ReceiptAbandoned())
      .when(command.AdmitReceipt({ ...other, otherDigests: ['sha256.b'] }))
      .then(event.ReceiptAdmitted(other));
  });

  it('cannot be abandoned once settled', () => {
    given(event.ReceiptAdmitted(), event.ReceiptSettled()).when(command.AbandonReceipt()).nothing();
  });

  it('is kept until the last millisecond of its retention, and free from then on', () => {
    const history = [event.ReceiptAdmitted(), event.ReceiptSettled()];
    given(...history)
      .when(command.AdmitReceipt({ at: '2026-01-01T23:59:59.999Z' }))
      .nothing();
    given(...history)
      .when(command.AdmitReceipt({ at: expiresAt }))
      .then(event.ReceiptAdmitted({ at: expiresAt }));
  });

  it('lets one request run for each time it is free, whatever the order of commands', () => {
    const resourceId = fc.constantFrom('ses_1', 'ses_2', 'ses_3');
    const step: fc.Arbitrary<ReceiptCommand> = fc.oneof(
      resourceId.map((id) => command.AdmitReceipt({ resourceId: id })),
      resourceId.map((id) => command.SettleReceipt({ resourceId: id })),
      resourceId.map((id) => command.AbandonReceipt({ resourceId: id })),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let state: Receipt = receipt.initialState;
        let running: string | null = null;
        for (const next of steps)
          for (const each of attempt(next, state)) {
            if (each.type === 'ReceiptAdmitted') {
              expect(running).to.equal(null);
              running = each.data.resourceId;
            } else running = each.type === 'ReceiptAbandoned' ? null : 'settled';
            state = receipt.evolve(state, each);
          }
      }),
    );
  });
});

function attempt(next: ReceiptCommand, state: Receipt): readonly ReceiptEvent[] {
  try {
    return receipt.decide(next, state);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}
