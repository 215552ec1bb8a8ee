import type { SessionEvent } from '../../contracts/events/session.ts';
import type { SessionCommand } from './commands.ts';
import {
  completeCreation,
  expireCreationLease,
  failCreation,
  requestSession,
  withdrawSession,
} from './creation.ts';
import { destroySession, enforceDurationCap, loseBrowser } from './ending.ts';
import { claimOperation, failOperation, settleOperation } from './operation.ts';
import { reportChallenge, reportEgress, reportProfileSave } from './reports.ts';
import type { Session } from './state.ts';

type Decision = readonly SessionEvent[];

type CommandType = SessionCommand['type'];
type CommandOf<Type extends CommandType> = {
  [Each in Type]: { readonly type: Each } & Extract<SessionCommand, { type: Each }>;
}[Type];

/** The rules of the contract's "Session status" table. */
const rules: { readonly [Type in CommandType]: (state: Session, command: CommandOf<Type>) => Decision } = {
  RequestSession: requestSession,
  WithdrawSession: withdrawSession,
  CompleteCreation: completeCreation,
  FailCreation: failCreation,
  ExpireCreationLease: expireCreationLease,
  ClaimOperation: claimOperation,
  SettleOperation: settleOperation,
  FailOperation: failOperation,
  DestroySession: destroySession,
  EnforceDurationCap: enforceDurationCap,
  LoseBrowser: loseBrowser,
  ReportEgress: reportEgress,
  ReportChallenge: reportChallenge,
  ReportProfileSave: reportProfileSave,
};

export const decide = <Type extends CommandType>(command: CommandOf<Type>, state: Session): Decision =>
  rules[command.type](state, command);
