import fc from 'fast-check';
import type { EmailEvent } from '../contracts/events/account.ts';
import { emailReservation, type ReserveEmail } from './email.ts';
import { idOf, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const accountId = 'acc_00000000-0000-4000-8000-000000000001';
const at = '2026-01-01T00:00:00.000Z';

describe('an e-mail address', () => {
  const { given } = deciderSpec(emailReservation);
  const reserved = eventBuilders<EmailEvent>({ EmailReserved: { accountId, at } }).EmailReserved;
  const reserve = commandBuilders<ReserveEmail>({ ReserveEmail: { accountId, at } }).ReserveEmail;

  it('belongs to the account that reserved it first', () => {
    given().when(reserve()).then(reserved());
    given(reserved()).when(reserve()).nothing();
    given(reserved())
      .when(reserve({ accountId: 'acc_00000000-0000-4000-8000-000000000002' }))
      .refused('email-already-registered');
  });
});

describeDecider('an address under any sequence of reservations', {
  decider: emailReservation,
  command: fc.record({
    type: fc.constant('ReserveEmail' as const),
    accountId: idOf('account', 3),
    at: time,
  }),
  statusOf: (state) => (state.accountId === null ? ('free' as const) : ('taken' as const)),
  transitions: [['free', 'EmailReserved', 'taken']],
});
