import { emailEvents, type EmailEvent } from '../contracts/events/account.ts';
import type { AccountId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import { decideBy, type CommandsOf, type Decider, type Rules } from './kit/decider.ts';

/** The account that holds the address; null if it is free. */
export interface EmailReservation {
  readonly accountId: AccountId | null;
}

export type EmailCommand = CommandsOf<{
  ReserveEmail: { accountId: AccountId };
  ReleaseEmail: { accountId: AccountId };
}>;

const rules: Rules<EmailReservation, EmailCommand, EmailEvent> = {
  ReserveEmail(state, { accountId, at }) {
    if (state.accountId === accountId) return [];
    if (state.accountId !== null) throw refuse('email-already-registered');
    return [{ type: 'EmailReserved', data: { accountId, at } }];
  },
  ReleaseEmail(state, { accountId, at }) {
    return state.accountId === accountId ? [{ type: 'EmailReleased', data: { accountId, at } }] : [];
  },
};

/** One account per address. The address is reserved before the account exists; of concurrent requests one gets it. */
export const emailReservation: Decider<EmailReservation, EmailCommand, EmailEvent> = {
  category: emailEvents,
  initialState: { accountId: null },
  decide: decideBy(rules),
  evolve: (_state, { type, data }) => ({ accountId: type === 'EmailReserved' ? data.accountId : null }),
};
