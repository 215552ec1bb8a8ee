import { emailEvents, type EmailEvent } from '../contracts/events/account.ts';
import type { AccountId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { Command, Decider } from './kit/decider.ts';

/** The account that holds the address; null while it is free. */
export interface EmailReservation {
  readonly accountId: AccountId | null;
}

export type ReserveEmail = Command<'ReserveEmail', { accountId: AccountId }>;

/** One account per address: the reservation comes before the account, and decides which of two requests gets it. */
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
