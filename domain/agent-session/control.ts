import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Rules } from '../kit/decider.ts';
import { tooLate } from '../kit/record.ts';
import { decideIdle } from '../kit/idle.ts';
import { isBefore } from '../kit/time.ts';
import { isDrainNews } from './browser.ts';
import type { ControlCommand } from './commands.ts';
import { active, sessionFields, present } from './guards.ts';
import { failureOfLoss } from './lost-browser.ts';
import { isInUse } from './in-use.ts';
import { exists, isOpen, type AgentSession, type ExistingAgentSession, type Recorded } from './state.ts';
import { errorRaised } from './turn.ts';

const closed = (
  session: ExistingAgentSession,
  reason: Recorded<'AgentSessionClosed'>['reason'],
  at: string,
): AgentSessionEvent => ({
  type: 'AgentSessionClosed',
  data: { ...sessionFields(session, at), reason, epoch: session.epoch + 1 },
});

export const controlRules: Rules<AgentSession, ControlCommand, AgentSessionEvent> = {
  CreateAgentSession(state, { type: _, ...data }) {
    if (state.status === 'withdrawn') throw tooLate();
    return state.status === 'none' ? [{ type: 'AgentSessionCreated', data }] : [];
  },
  WithdrawAgentSession(state, { type: _, ...data }) {
    return state.status === 'none' ? [{ type: 'AgentSessionWithdrawn', data }] : [];
  },
  ChangeMode(state, { mode, at }) {
    const session = active(state);
    const { mode: from, epoch } = session;
    if (mode === from) return [];
    return [{ type: 'ModeChanged', data: { ...sessionFields(session, at), from, mode, epoch: epoch + 1 } }];
  },
  /** Recorded also if control has changed since the touch, which was allowed when the browser got it. */
  TakeOverScreen(state, { participant, at }) {
    const session = present(state);
    const { screen, epoch, status } = session;
    const isRecorded = screen?.participant === participant && screen.epoch === epoch;
    if (isRecorded || status === 'closed') return [];
    return [{ type: 'ScreenTakenOver', data: { ...sessionFields(session, at), participant } }];
  },
  /** Pauses the agent session for a challenge of its driver session. A second challenge while it is paused replaces the first. */
  Pause(state, { sessionId, challengeId, at }) {
    if (!isOpen(state) || state.browser?.sessionId !== sessionId) return [];
    if (state.challengeIds.includes(challengeId)) return [];
    const data = { ...sessionFields(state, at), sessionId, challengeId, epoch: state.epoch + 1 };
    return [{ type: 'AgentSessionPaused', data }];
  },
  RequestResume(state, { challengeId, expiresAt, at }) {
    const session = present(state);
    if (session.challenge === null || session.status !== 'paused')
      throw refuse('conflict', `The agent session is ${session.status}, not paused.`);
    if (challengeId !== null && challengeId !== session.challenge.challengeId)
      throw refuse('conflict', 'The agent session is paused for another challenge.');
    const { resumeUntil } = session.challenge;
    if (resumeUntil !== null && !isBefore(resumeUntil, expiresAt)) return [];
    const data = { ...sessionFields(session, at), challengeId: session.challenge.challengeId, expiresAt };
    return [{ type: 'ResumeRequested', data }];
  },
  ExpireResume(state, { at }) {
    if (!exists(state) || !state.challenge?.resumeUntil) return [];
    const { challengeId, resumeUntil } = state.challenge;
    return isBefore(at, resumeUntil)
      ? []
      : [{ type: 'ResumeExpired', data: { ...sessionFields(state, at), challengeId } }];
  },
  Resume(state, { challengeId, at }) {
    if (!exists(state) || state.status !== 'paused' || state.challenge?.challengeId !== challengeId)
      return [];
    return [{ type: 'AgentSessionResumed', data: { ...sessionFields(state, at), challengeId } }];
  },
  /** A closed session keeps its driver session, for display, unless its start was refused: nothing can be read by its id then. */
  LoseDriverSession(state, { sessionId, cause, at, ...end }) {
    if (!exists(state) || (state.status === 'closed' && cause !== 'refused')) return [];
    if (state.browser?.sessionId !== sessionId || state.browser.ended) return [];
    const lost = {
      type: 'DriverSessionLost',
      data: { ...sessionFields(state, at), sessionId, cause },
    } as const;
    const failure = failureOfLoss(state, end);
    return failure === null ? [lost] : [lost, errorRaised(state, failure, at)];
  },
  AnnounceDrain(state, { sessionId, endsBy, at }) {
    if (!isOpen(state) || state.browser?.sessionId !== sessionId) return [];
    if (!isDrainNews(state.browser, endsBy)) return [];
    return [{ type: 'DrainAnnounced', data: { ...sessionFields(state, at), sessionId, endsBy } }];
  },
  StartDriverSession(state, { sessionId, at }) {
    const session = active(state);
    if (session.mode === 'ai')
      throw refuse('conflict', 'The agent starts its browser itself: the mode is ai.');
    return session.browser === null
      ? [{ type: 'DriverSessionSpawned', data: { ...sessionFields(session, at), sessionId } }]
      : [];
  },
  StartAtInitialUrl(state, { sessionId, at }) {
    const session = active(state);
    return session.awaitsInitialUrl && session.browser?.sessionId === sessionId
      ? [{ type: 'InitialUrlOpened', data: { ...sessionFields(session, at), sessionId } }]
      : [];
  },
  RaiseError(state, { type: _, at, ...failure }) {
    return isOpen(state) ? [errorRaised(state, failure, at)] : [];
  },
  RecordBrowserChange(state, { change, at }) {
    return [{ type: 'BrowserChanged', data: { ...sessionFields(present(state), at), change } }];
  },
  Close(state, { reason, at }) {
    const session = present(state);
    return session.status === 'closed' ? [] : [closed(session, reason, at)];
  },
  EnforceIdleTimeout(state, { lastUseAt, at }) {
    if (!isOpen(state)) return [];
    const comesTo = decideIdle(state, isInUse(state) ? at : lastUseAt, at);
    if (comesTo === 'nothing') return [];
    if (comesTo === 'over') return [closed(state, 'idle', at)];
    return [{ type: 'AgentIdleTimeoutExtended', data: { ...sessionFields(state, at), ...comesTo } }];
  },
};
