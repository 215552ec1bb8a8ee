import type { LiveOperation } from '../../contracts/fleet/operations.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import type { PageObservation } from '../../contracts/resources/observation.ts';
import { session } from '../../domain/session/session.ts';
import type { Heartbeats } from '../../infra/ephemeral/index.ts';
import type { LiveAnswer, LiveFleet } from '../../infra/fleet/control-plane/port.ts';
import type { Runner } from '../engine/runner.ts';
import type { OwnedSession } from '../session/index.ts';
import { liveTimeouts } from './browser.ts';
import { heartbeatKey } from './ports.ts';

export interface ObservationPorts {
  readonly runner: Runner;
  readonly fleet: Pick<LiveFleet, 'live'>;
  readonly heartbeats: Pick<Heartbeats, 'record'>;
}

/**
 * Observes the page of a session, without an operation. An observation counts as watching: it records a heartbeat for the idle
 * timeout, no event.
 */
export async function observe(
  ports: ObservationPorts,
  { id }: OwnedSession,
  withPicture: boolean,
): Promise<PageObservation> {
  const state = await present(ports, id);
  const node = state.status === 'none' || state.status === 'creating' ? null : state.nodeId;
  if (node === null) throw refuse('feature-unavailable', 'The session has no browser yet.', soon);
  ports.heartbeats.record(heartbeatKey.watched(id));
  const at = (operation: LiveOperation) => ({ node, session: id, timeoutMs: liveTimeouts[operation] });
  const given = async <T>(answer: LiveAnswer<T>): Promise<T> => {
    if (answer.status === 'ok') return answer.result;
    // It may have failed because the session has ended since.
    await present(ports, id);
    throw problemOf[answer.status](answer.reason);
  };
  const seen = await given(await ports.fleet.live(at('observe'), 'observe', null));
  const { links: _links, voices: _voices, ...shown } = seen;
  if (!withPicture) return shown;
  return { ...shown, picture: await given(await ports.fleet.live(at('picture'), 'picture', null)) };
}

const soon = { retry_after_seconds: 1 };

/** The session's state; throws `session-destroyed` if it has ended. */
async function present({ runner }: ObservationPorts, id: OwnedSession['id']) {
  const { state } = await runner.load(session, uuidOf(id));
  if (state.status === 'destroyed' || state.status === 'errored') throw refuse('session-destroyed');
  return state;
}

/** A browser that cannot be reached is back soon, or its session ends. */
const problemOf: Readonly<Record<'unavailable' | 'timeout' | 'error', (reason: string) => Refusal>> = {
  unavailable: (reason) => refuse('feature-unavailable', reason, soon),
  timeout: (reason) => refuse('session-timeout', reason),
  error: (reason) => refuse('driver-error', reason),
};
