import fc from 'fast-check';
import { idOf, text, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';
import { receipt, type ReceiptCommand } from './receipt.ts';

const resourceId = idOf('session', 2);
const admit = fc
  .record({
    type: fc.constant('AdmitReceipt' as const),
    accountId: idOf('account', 1),
    route: fc.constant('sessions.create'),
    digest: fc.constantFrom('one', 'other'),
    otherDigests: fc.tuple(fc.constantFrom('older one', 'older other')),
    resourceId,
    at: time,
    keptMs: fc.integer({ min: 1, max: 1_800_000 }),
  })
  .map(({ keptMs, ...admission }) => ({
    ...admission,
    expiresAt: new Date(Date.parse(admission.at) + keptMs).toISOString(),
  }));
const answer = fc.record({
  status: fc.integer({ min: 100, max: 599 }),
  contentType: fc.constant('application/json'),
  body: text,
  sealed: fc.boolean(),
});
const command: fc.Arbitrary<ReceiptCommand> = fc.oneof(
  admit,
  fc.record({ type: fc.constant('SettleReceipt' as const), resourceId, answer, at: time }),
  fc.record({ type: fc.constant('AbandonReceipt' as const), resourceId, at: time }),
);

describeDecider('a receipt under any sequence of commands', {
  decider: receipt,
  command,
  statusOf: ({ status }) => status,
  transitions: [
    ['free', 'ReceiptAdmitted', 'admitted'],
    ['admitted', 'ReceiptSettled', 'settled'],
    ['admitted', 'ReceiptAbandoned', 'free'],
    // After its expiry the key is free, and the next request with it is a first one.
    ['admitted', 'ReceiptAdmitted', 'admitted'],
    ['settled', 'ReceiptAdmitted', 'admitted'],
  ],
});
