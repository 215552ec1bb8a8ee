import type { Position, RecordedEvent, Subscription } from '../../../infra/event-store/client/types.ts';
import type { ProcessManager } from './process-manager.ts';
import { Progress } from './progress.ts';
import { beginTerm, reactTo, type ReactionPorts } from './reactions.ts';
import type { HostSettings } from './settings.ts';
import type { Checkpoint } from './tables.ts';
import { untilFirstFailure } from './until-first-failure.ts';

export interface FollowPorts extends ReactionPorts, Pick<HostSettings, 'checkpointMs' | 'concurrency'> {
  readonly checkpoint: Checkpoint;
}

/**
 * Reacts to the log from the checkpoint on. The checkpoint follows effects, not deliveries. Ends
 * when nothing of it runs any more.
 */
export async function follow(ports: FollowPorts, signal: AbortSignal): Promise<void> {
  const { store, checkpoint, managers, partitions, concurrency } = ports;
  partitions.reopen();
  const from = (await checkpoint.read()) ?? 'start';
  // Read after the checkpoint, so that every reaction parked before it is included.
  await beginTerm(ports);
  const prefixes = [...new Set(managers.flatMap(prefixesOf))];
  const subscription = store.subscribe({ from, prefixes });
  const progress = new Progress({ atWork: concurrency, waiting: () => partitions.waiting });
  const ended = new AbortController();
  const end = (): void => ended.abort();
  signal.addEventListener('abort', end);
  ended.signal.addEventListener('abort', () => void subscription.close());
  if (signal.aborted) end();
  const react = (event: RecordedEvent) => reactTo(ports, event, ended.signal).catch(failWith(end));
  const saving = saveNowAndThen(ports, progress, ended.signal);
  try {
    await untilFirstFailure([saving, reactToAll(subscription, progress, react)], end);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
  if (!signal.aborted) throw new Error('The subscription ended by itself.');
}

const prefixesOf = ({ categories }: ProcessManager): string[] => categories.map((name) => `${name}-`);

/** A reaction that cannot be parked ends the term; the next term starts before it. */
const failWith =
  (end: () => void) =>
  (error: unknown): never => {
    end();
    throw error;
  };

async function reactToAll(
  subscription: Subscription,
  progress: Progress,
  react: (event: RecordedEvent) => Promise<void>,
): Promise<void> {
  try {
    for await (const message of subscription) {
      if (message.kind === 'event') await progress.start(message.event, react);
      else if (message.kind === 'checkpoint') progress.pass(message.position);
    }
  } finally {
    await progress.settled();
  }
}

/** Once more at the end, for later effects. */
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

/** A pause that was cut short is over like any other. */
export const waited = (pause: Promise<void>): Promise<void> => pause.catch(() => undefined);
