import { emailEvents, type EmailEvent } from '../../contracts/events/account.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Decider } from '../kit/decider.ts';

/** Whose address it is; null while it is nobody's. */
export interface EmailReservation {
  readonly accountId: AccountId | null;
}

export interface ReserveEmail {
  readonly type: 'ReserveEmail';
  readonly accountId: AccountId;
  readonly at: string;
}

/** One address, one account: the reservation is made before the account and decides who gets it. */
export const emailReservation: Decider<EmailReservation, ReserveEmail, EmailEvent> = {
  category: emailEvents,
  initialState: { accountId: null },
  decide({ accountId, at }, state) {
    if (state.accountId === accountId) return [];
    if (state.accountId !== null) throw refuse('email-already-registered');
    return [{ type: 'EmailReserved', data: { accountId, at } }];
  },
  evolve: (_state, { data }) => ({ accountId: data.accountId }),
};
