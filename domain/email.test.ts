import fc from 'fast-check';
import type { EmailEvent } from '../contracts/events/account.ts';
import { emailReservation, type EmailCommand } from './email.ts';
import { idOf, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const accountId = 'acc_00000000-0000-4000-8000-000000000001';
const at = '2026-01-01T00:00:00.000Z';

describe('an e-mail address', () => {
  const { given } = deciderSpec(emailReservation);
  const { EmailReserved: reserved, EmailReleased: released } = eventBuilders<EmailEvent>({
    EmailReserved: { accountId, at },
    EmailReleased: { accountId, at },
  });
  const { ReserveEmail: reserve, ReleaseEmail: release } = commandBuilders<EmailCommand>({
    ReserveEmail: { accountId, at },
    ReleaseEmail: { accountId, at },
  });

  it('belongs to the account that reserved it first', () => {
    given().when(reserve()).then(reserved());
    given(reserved()).when(reserve()).nothing();
    given(reserved())
      .when(reserve({ accountId: 'acc_00000000-0000-4000-8000-000000000002' }))
      .refused('email-already-registered');
  });

  it('is free again once its account has released it', () => {
    const other = 'acc_00000000-0000-4000-8000-000000000002';
    given(reserved()).when(release()).then(released());
    given(reserved())
      .when(release({ accountId: other }))
      .nothing();
    given(reserved(), released())
      .when(reserve({ accountId: other }))
      .then(reserved({ accountId: other }));
  });
});

describeDecider('an address under any sequence of reservations', {
  decider: emailReservation,
  command: fc.record({
    type: fc.constantFrom('ReserveEmail' as const, 'ReleaseEmail' as const),
    accountId: idOf('account', 3),
    at: time,
  }),
  statusOf: (state) => (state.accountId === null ? ('free' as const) : ('taken' as const)),
  transitions: [
    ['free', 'EmailReserved', 'taken'],
    ['taken', 'EmailReleased', 'free'],
  ],
});
