import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Position, RecordedEvent, Subscription } from '../../infra/event-store/types.ts';
import { takeAdvisoryLock } from '../../infra/postgres/advisory-lock.ts';
import type { ProcessesOptions } from './index.ts';
import { Progress } from './progress.ts';
import { reactTo, type ReactionPorts } from './reactions.ts';
import { readCheckpoint, saveCheckpoint } from './tables.ts';

/** Work that is looked after again and again during a term. */
export interface Sweep {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<void>;
}

/**
 * One term of a host: from taking the lock to losing it, to an error, or to the signal. The lock and the checkpoint are
 * on one connection, so a host that lost the lock cannot move the checkpoint.
 */
export async function term(
  options: ProcessesOptions,
  reactions: ReactionPorts,
  sweeps: readonly Sweep[],
  signal: AbortSignal,
  began: () => void,
): Promise<void> {
  const client = await options.pool.connect();
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end);
  client.once('end', end);
  try {
    await takeAdvisoryLock(client, 'processes', options.standbyMs, signal);
    if (signal.aborted) return;
    began();
    const work = [
      follow(client, options, reactions, ending.signal),
      ...sweeps.map((sweep) => repeat(sweep, options, ending.signal)),
    ];
    const ended = await Promise.allSettled(work.map((each) => each.finally(end)));
    for (const each of ended) if (each.status === 'rejected') throw each.reason;
  } finally {
    signal.removeEventListener('abort', end);
    // Closing the connection is what gives the lock back.
    client.release(true);
  }
}

/** Reacts to the log from the checkpoint on. The checkpoint follows what has taken effect, never what was delivered. */
async function follow(
  client: pg.ClientBase,
  { store, checkpointMs, concurrency }: ProcessesOptions,
  reactions: ReactionPorts,
  signal: AbortSignal,
): Promise<void> {
  const from = (await readCheckpoint(client)) ?? 'start';
  const prefixes = [...new Set(reactions.managers.map(({ category }) => `${category}-`))];
  const subscription = store.subscribe({ from, prefixes });
  const progress = new Progress(concurrency);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  signal.addEventListener('abort', end);
  ended.signal.addEventListener('abort', () => void subscription.close());
  if (signal.aborted) end();
  const saving = saveNowAndThen(client, progress, checkpointMs, ended.signal).finally(end);
  try {
    await reactToAll(subscription, progress, (event) =>
      reactTo(reactions, event, signal).catch(failWith(end)),
    );
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', end);
    end();
    await saving;
  }
  if (!signal.aborted) throw new Error('The subscription ended by itself.');
}

/** What cannot even be parked ends the term: the next one begins before it. */
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
  for await (const message of subscription) {
    if (message.kind === 'event') await progress.start(message.event, react);
  }
  await progress.settled();
}

/** Once more at the end, for what took effect since. */
async function saveNowAndThen(
  client: pg.ClientBase,
  progress: Progress,
  everyMs: number,
  ended: AbortSignal,
): Promise<void> {
  let saved: Position | undefined;
  for (let isLast = false; !isLast;) {
    isLast = ended.aborted;
    const { reached } = progress;
    if (reached !== undefined && reached !== saved) await saveCheckpoint(client, reached);
    saved = reached;
    if (!isLast) await pause(everyMs, ended);
  }
}

/** A sweep that fails is told and comes again: what it looks for is still there. */
async function repeat(
  { name, everyMs, run }: Sweep,
  { logger }: ProcessesOptions,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await run().catch((error: unknown) => logger.warn({ err: error, sweep: name }, 'a sweep failed'));
    await pause(everyMs, signal);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => undefined);
