import { followLog, type Consumer } from '../../../infra/log-follower/follow.ts';
import type { Position } from '../../../infra/event-store/client/types.ts';
import { Progress } from './progress.ts';
import { beginTerm, reactTo, type ReactionPorts } from './reactions.ts';
import type { HostSettings } from './settings.ts';
import type { Checkpoint } from './tables.ts';
import { firstSignal } from '../../../infra/platform/first-signal.ts';

export interface FollowPorts extends ReactionPorts, Pick<HostSettings, 'checkpointMs' | 'concurrency'> {
  readonly checkpoint: Checkpoint;
}

/** Reacts to the log from the checkpoint on. Resolves once everything it started has ended. */
export async function follow(ports: FollowPorts, signal: AbortSignal): Promise<void> {
  const { store, checkpoint, managers, partitions } = ports;
  partitions.reopen();
  const from = await checkpoint.read();
  // Read after the checkpoint, so that every reaction parked before it is included.
  await beginTerm(ports);
  const types = [...new Set(managers.flatMap((manager) => manager.types))];
  try {
    await followLog({ store, from, types }, reactions(ports, signal), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/**
 * Concurrent reactions, with a checkpoint that follows their effects. A failure to park a reaction or to save the checkpoint ends
 * the term; the next one starts before it.
 */
function reactions(ports: FollowPorts, signal: AbortSignal): Consumer {
  const { concurrency, partitions } = ports;
  const progress = new Progress({ atWork: concurrency, waiting: () => partitions.waiting });
  const failing = new AbortController();
  const ended = firstSignal(signal, failing.signal);
  const fail = (error: unknown): never => {
    failing.abort();
    throw error;
  };
  const saving = saveNowAndThen(ports, progress, ended).catch(fail);
  return {
    add: (event) => progress.start(event, (started) => reactTo(ports, started, ended).catch(fail)),
    pass: (position) => progress.pass(position),
    finished: saving,
    close: async () => {
      try {
        await progress.settled();
      } finally {
        failing.abort();
        await saving;
      }
    },
  };
}

/** Saves the checkpoint at intervals, and once more at the end, for effects after the last save. */
async function saveNowAndThen(
  { checkpoint, checkpointMs, pause }: FollowPorts,
  progress: Progress,
  ended: AbortSignal,
): Promise<void> {
  let saved: Position | undefined;
  for (let isLast = false; !isLast;) {
    isLast = ended.aborted;
    const { reached } = progress;
    if (reached !== undefined && reached !== saved) await checkpoint.save(reached);
    saved = reached;
    if (!isLast) await waited(pause(checkpointMs, ended));
  }
}

/** Resolves even if the pause was aborted. */
export const waited = (pause: Promise<void>): Promise<void> => pause.catch(() => undefined);
