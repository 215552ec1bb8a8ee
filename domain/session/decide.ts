import type { SessionEvent } from '../../contracts/events/session.ts';
import type { ReportEgress, SessionCommand } from './commands.ts';
import { completeCreation, expireCreationLease, failCreation, requestSession } from './creation.ts';
import { destroySession, enforceDurationCap, loseBrowser } from './ending.ts';
import { claimOperation, failOperation, settleOperation } from './operation.ts';
import type { Session } from './state.ts';

type Decision = readonly SessionEvent[];

/** The rules of the contract's "Session status" table. */
export function decide(command: SessionCommand, state: Session): Decision {
  switch (command.type) {
    case 'RequestSession':
      return requestSession(state, command);
    case 'CompleteCreation':
      return completeCreation(state, command);
    case 'FailCreation':
      return failCreation(state, command);
    case 'ExpireCreationLease':
      return expireCreationLease(state, command);
    case 'ClaimOperation':
      return claimOperation(state, command);
    case 'SettleOperation':
      return settleOperation(state, command);
    case 'FailOperation':
      return failOperation(state, command);
    case 'DestroySession':
      return destroySession(state, command);
    case 'EnforceDurationCap':
      return enforceDurationCap(state, command);
    case 'LoseBrowser':
      return loseBrowser(state, command);
    case 'ReportEgress':
      return reportEgress(state, command);
  }
}

/** Every report is an event, without change detection, but a report sent twice is one. */
function reportEgress(state: Session, { nodeId, reportId, capabilities, at }: ReportEgress): Decision {
  switch (state.status) {
    case 'creating':
    case 'ready':
    case 'busy': {
      if (state.nodeId !== nodeId || state.reportIds.includes(reportId)) return [];
      const { sessionId } = state;
      return [{ type: 'EgressCapabilitiesReported', data: { sessionId, reportId, capabilities, at } }];
    }
    case 'destroyed':
    case 'errored':
    case 'none':
      return [];
  }
}
