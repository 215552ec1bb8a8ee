import type { Logger } from 'pino';
import { agentSessionEvents } from '../../../contracts/events/agent-session.ts';
import { streamOf } from '../../../contracts/events/catalogue.ts';
import { uuidOf, type AgentSessionId } from '../../../contracts/ids.ts';
import { isAfter } from '../../../infra/event-store/client/position.ts';
import type { EventStore, Position } from '../../../infra/event-store/client/types.ts';
import type { Pause } from '../../../infra/platform/clock.ts';

interface Options {
  readonly store: Pick<EventStore, 'readAll' | 'head'>;
  readonly pause: Pause;
  readonly everyMs: number;
  readonly logger: Logger;
}

const nobodyWaits = new Error('Nobody waits any more.');

interface Waiting {
  readonly stream: string;
  readonly since: Position;
  readonly changed: (at: Position) => void;
}

/**
 * Checks for all waiting turns of this process whether their agent sessions have new events. One read of the log serves them all, so the
 * cost does not grow with their number.
 */
export class ControlWatch {
  readonly #options: Options;
  readonly #waiting = new Set<Waiting>();
  /** Position of the next read: waiters have been notified of every event before it. */
  #from: Position | undefined;
  #isLooking = false;
  #idle = new AbortController();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Resolves with the position of an event of the agent session after `since`, soon after it was appended; rejects when the signal is
   * aborted.
   */
  changed(id: AgentSessionId, since: Position, signal: AbortSignal): Promise<Position> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const leave = (): void => {
        this.#waiting.delete(waiting);
        if (this.#waiting.size === 0) this.#idle.abort(nobodyWaits);
      };
      const waiting: Waiting = {
        ...{ stream: streamOf(agentSessionEvents, uuidOf(id)), since },
        changed: (at) => {
          leave();
          resolve(at);
        },
      };
      const over = (): void => {
        leave();
        reject(nobodyWaits);
      };
      signal.addEventListener('abort', over, { once: true });
      this.#beginBefore(since);
      this.#waiting.add(waiting);
      if (!this.#isLooking) void this.#lookAgainAndAgain();
    });
  }

  #beginBefore(position: Position): void {
    if (this.#waiting.size === 0 && !this.#isLooking) this.#from = position;
    else if (this.#from === undefined || isAfter(this.#from, position)) this.#from = position;
  }

  async #lookAgainAndAgain(): Promise<void> {
    const { pause, everyMs, logger } = this.#options;
    this.#isLooking = true;
    while (this.#waiting.size > 0) {
      this.#idle = new AbortController();
      await pause(everyMs, this.#idle.signal).catch(() => undefined);
      if (this.#waiting.size === 0) break;
      await this.#look().catch((error: unknown) => {
        logger.debug({ err: error }, 'A turn could not read whether control has changed; retrying.');
      });
    }
    this.#isLooking = false;
  }

  async #look(): Promise<void> {
    const { store } = this.#options;
    const head = await store.head();
    const from = this.#from;
    if (from === undefined || head === undefined) return;
    // A waiter that joins during the read moves it back to its own start.
    this.#from = head;
    try {
      for await (const { stream, position } of store.readAll({ from, prefixes: ['agent_session-'] }))
        for (const waiting of this.#waiting)
          if (waiting.stream === stream && isAfter(position, waiting.since)) waiting.changed(position);
    } catch (error) {
      this.#beginBefore(from);
      throw error;
    }
  }
}
