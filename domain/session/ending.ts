import type { SessionEvent } from '../../contracts/events/session.ts';
import { refuse } from '../../contracts/problems.ts';
import type { DestroySession, EnforceDurationCap, LoseBrowser } from './commands.ts';
import { destroyed, errored } from './end-events.ts';
import type { Session } from './state.ts';
import { isBefore } from './times.ts';

type Decision = readonly SessionEvent[];

export function destroySession(state: Session, { cause, at }: DestroySession): Decision {
  switch (state.status) {
    case 'creating':
    case 'ready':
    case 'busy':
      return [destroyed(state, cause, at)];
    case 'destroyed':
    case 'errored':
      return [];
    case 'none':
      throw refuse('not-found');
  }
}

export function enforceDurationCap(state: Session, { at }: EnforceDurationCap): Decision {
  switch (state.status) {
    case 'creating':
    case 'ready':
    case 'busy':
      if (state.expiresAt === null || isBefore(at, state.expiresAt)) return [];
      return [destroyed(state, 'duration_cap', at)];
    case 'destroyed':
    case 'errored':
    case 'none':
      return [];
  }
}

/** Only the node that runs the browser can lose it. */
export function loseBrowser(state: Session, { nodeId, reason, at }: LoseBrowser): Decision {
  switch (state.status) {
    case 'creating':
    case 'ready':
    case 'busy': {
      if (state.nodeId !== nodeId) return [];
      const operation = state.status === 'busy' ? state.claim.operation : 'unknown';
      const errorName = reason === 'node_lost' ? 'DriverNotIntegratedError' : 'DriverError';
      return [errored(state, { operation, reason, errorName, at })];
    }
    case 'destroyed':
    case 'errored':
    case 'none':
      return [];
  }
}
