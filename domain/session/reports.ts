import type { SessionEvent } from '../../contracts/events/session.ts';
import type { NodeId } from '../../contracts/ids.ts';
import type { ReportChallenge, ReportEgress, ReportProfileSave } from './commands.ts';
import { isLive, type ExistingSession, type Session } from './state.ts';

type Decision = readonly SessionEvent[];

/** Every report is an event, without change detection, but a report sent twice is one. */
export function reportEgress(state: Session, { nodeId, reportId, capabilities, at }: ReportEgress): Decision {
  if (!isLive(state) || !isNews(state, nodeId, reportId)) return [];
  const { sessionId } = state;
  return [{ type: 'EgressCapabilitiesReported', data: { sessionId, reportId, capabilities, at } }];
}

export function reportChallenge(state: Session, command: ReportChallenge): Decision {
  const { nodeId, reportId, challengeId, challenge, at } = command;
  if (!isLive(state) || !isNews(state, nodeId, reportId)) return [];
  const { sessionId } = state;
  return [{ type: 'ChallengeDetected', data: { sessionId, reportId, challengeId, challenge, at } }];
}

/** A profile is saved while its session is torn down, so the session may have ended by then. */
export function reportProfileSave(state: Session, command: ReportProfileSave): Decision {
  const { nodeId, reportId, profileId, reason, detail, at } = command;
  if (state.status === 'none' || !isNews(state, nodeId, reportId)) return [];
  const { sessionId } = state;
  return [{ type: 'ProfileSaveFailed', data: { sessionId, reportId, profileId, reason, detail, at } }];
}

/** Only the node that runs the browser can tell of it. */
const isNews = (state: ExistingSession, nodeId: NodeId, reportId: string): boolean =>
  state.nodeId === nodeId && !state.reportIds.includes(reportId);
