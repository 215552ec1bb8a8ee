import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SessionId } from '../../../contracts/ids.ts';
import { waitBackOff, type BackOff } from '../../platform/back-off.ts';
import { firstSignal } from '../../platform/first-signal.ts';
import { Semaphore } from '../../platform/semaphore.ts';
import { TrackedSource } from '../../platform/tracked-source.ts';
import { ControlPlaneRefused } from './control-plane.ts';
import { StateNotLeft, type LeftState } from './driver.ts';
import type { StateTransfer } from './state-transfer.ts';

export interface SavesOptions {
  readonly transfer: Pick<StateTransfer, 'save'>;
  readonly logger: Logger;
  /** Concurrent transfers: each needs a core for packing, and a few buffers. Others wait in the order of their sessions' ends. */
  readonly atOnce?: number;
  /** Milliseconds for which a broken transfer is retried. */
  readonly limitMs?: number;
  readonly backOff?: BackOff;
}

/** A state to save. */
export interface Save {
  readonly session: SessionId;
  readonly state: LeftState;
  /** The files cannot be packed. The control plane records its own refusals. */
  readonly onUnpackable: (failure: StateNotLeft) => void;
}

const usualBackOff: BackOff = { firstMs: 250, longestMs: 10_000, jitter: 0.5 };

/**
 * Transfers states of ended sessions to the control plane. A transfer is retried until it is answered; the control plane stores a state
 * once, however often it arrives. The files are removed afterwards, whatever the outcome.
 */
export class Saves {
  readonly #options: SavesOptions;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  readonly #permits: Semaphore;

  constructor(options: SavesOptions) {
    this.#options = options;
    this.#permits = new Semaphore(options.atOnce ?? 2);
  }

  /** Starts a save. Returns at once. */
  begin(save: Save): void {
    const done = this.#run(save).finally(() => this.#underWay.delete(done));
    this.#underWay.add(done);
  }

  /** True if no save is pending. */
  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  /** Resolves when no save is pending. After the limit the transfers are aborted. */
  async finish(limitMs: number): Promise<void> {
    const finished = new AbortController();
    const late = delay(limitMs, undefined, { signal: finished.signal }).then(
      () => this.#stopping.abort(),
      () => undefined,
    );
    await Promise.all(this.#underWay);
    finished.abort();
    await late;
  }

  async #run(save: Save): Promise<void> {
    const { logger } = this.#options;
    try {
      await this.#permits.hold(() => this.#send(save));
    } catch (error) {
      logger.error({ err: error, session_id: save.session }, 'The state of a session was not saved.');
    } finally {
      await save.state.remove().catch((error: unknown) => {
        logger.error({ err: error, session_id: save.session }, 'A browser was not cleaned up completely.');
      });
    }
  }

  async #send(save: Save): Promise<void> {
    const { logger, limitMs = 5 * 60_000, backOff = usualBackOff } = this.#options;
    const signal = firstSignal(this.#stopping.signal, AbortSignal.timeout(limitMs));
    for (let tries = 0; ; tries += 1) {
      try {
        const outcome = await this.#attempt(save, signal);
        return logger.info({ session_id: save.session, outcome }, 'The state of a session was sent.');
      } catch (error) {
        if (error instanceof StateNotLeft) save.onUnpackable(error);
        if (error instanceof StateNotLeft || isFinal(error) || signal.aborted) throw error;
        logger.warn(
          { err: error, session_id: save.session },
          'The state of a session was not accepted; sending it again.',
        );
        await waitBackOff(backOff, tries, { signal });
      }
    }
  }

  /** Rejects with `StateNotLeft` if the files failed, not the transfer. */
  async #attempt({ session, state }: Save, signal: AbortSignal) {
    const packing = state.archive();
    const archive = new TrackedSource(packing);
    try {
      return await this.#options.transfer.save(session, state.census, Readable.from(archive), signal);
    } catch (error) {
      if (!archive.failure) throw error;
      const detail = 'The files of the browser could not be packed.';
      throw new StateNotLeft('serialize_failed', detail, { cause: archive.failure.error });
    } finally {
      packing.destroy();
    }
  }
}

/** Whether a retry is useless. After a 401 the node may be known again once it has registered. */
const isFinal = (error: unknown): boolean =>
  error instanceof ControlPlaneRefused && [400, 403, 404].includes(error.status);
