import { accountEvents, type AccountEvent } from '../../contracts/events/account.ts';
import type { Decider } from '../kit/decider.ts';
import type { AccountCommand } from './commands.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import { noAccount, type Account } from './state.ts';

/** An account: its tier, whether it is suspended, and which API keys hold a place under the tier's cap. */
export const account: Decider<Account, AccountCommand, AccountEvent> = {
  category: accountEvents,
  initialState: noAccount,
  decide,
  evolve,
};

export { emailReservation, type EmailReservation, type ReserveEmail } from './email.ts';
export { concurrentSessions, heldPlaces } from './state.ts';
export type { Account, ExistingAccount, KeyPlace } from './state.ts';
export type * from './commands.ts';
