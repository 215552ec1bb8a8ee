import type { LogEvent } from '../evidence/index.ts';

type Status = 'none' | 'creating' | 'ready' | 'busy' | 'errored' | 'destroyed' | 'withdrawn';

/** The contract's table of session states, by the events that move between them. A deliberate second copy. */
const moves: Record<Status, Readonly<Record<string, Status>>> = {
  none: { SessionRequested: 'creating', SessionWithdrawn: 'withdrawn' },
  creating: { SessionReady: 'ready', SessionErrored: 'errored', SessionDestroyed: 'destroyed' },
  ready: { OperationClaimed: 'busy', SessionErrored: 'errored', SessionDestroyed: 'destroyed' },
  busy: { OperationSettled: 'ready', SessionErrored: 'errored', SessionDestroyed: 'destroyed' },
  errored: {},
  destroyed: {},
  withdrawn: {},
};

export interface Life {
  readonly status: Status;
  /** The first event that the previous state does not allow. */
  readonly misplaced?: LogEvent;
}

/** A session's state from its events alone. */
export function lifeOf(events: readonly LogEvent[]): Life {
  let status: Status = 'none';
  for (const event of events) {
    if (event.type === 'EgressCapabilitiesReported' && isLive(status)) continue;
    if (event.type === 'ProfileSaveFailed' && status === 'destroyed') continue;
    const next: Status | undefined = moves[status][event.type];
    if (next === undefined) return { status, misplaced: event };
    status = next;
  }
  return { status };
}

/** Whether clients may see the session: not if it was withdrawn before it was requested. */
export const isShown = (status: Status): boolean => status !== 'none' && status !== 'withdrawn';

export const isLive = (status: Status): boolean =>
  status === 'creating' || status === 'ready' || status === 'busy';
