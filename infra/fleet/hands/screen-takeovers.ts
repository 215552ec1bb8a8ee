import { setTimeout as wait } from 'node:timers/promises';
import type { RoomRequest, RoomState } from '../../../contracts/fleet/room.ts';
import { pauseMs, type BackOff } from '../../platform/back-off.ts';
import type { Person } from './person.ts';
import { requestOf, type PresenceOptions } from './presence.ts';

/**
 * Milliseconds between two reports of the same person: people who touch in quick turns leave one event each in this time, not one for each
 * turn.
 */
const againAfterMs = 60_000;

const retries: BackOff = { firstMs: 500, longestMs: 4_000 };
/** After these the report is given up, with a line in the node's log, until the person touches the browser a minute later. */
const mostTries = 6;

/**
 * Reports to the control plane who touches the browser in manual mode: the first person after each change of control, and each change of the
 * person. A touch does not wait for its report.
 */
export class ScreenTakeovers {
  readonly #options: Pick<PresenceOptions, 'id' | 'line' | 'logger'>;
  #epoch = 0;
  /** The person that was reported last in this epoch. */
  #last: string | undefined;
  /** Time of each person's last report in this epoch, in milliseconds of `performance.now()`. */
  readonly #reportedAt = new Map<string, number>();
  /** Reports are sent one after the other, so that the log has them in their order. */
  #sent: Promise<void> = Promise.resolve();

  constructor(options: Pick<PresenceOptions, 'id' | 'line' | 'logger'>) {
    this.#options = options;
  }

  /** Called for each touch, with the state that allows it. */
  touched(state: RoomState | undefined, person: Person | undefined): void {
    if (state?.mode !== 'manual' || person === undefined) return;
    if (state.epoch !== this.#epoch) {
      this.#epoch = state.epoch;
      this.#last = undefined;
      this.#reportedAt.clear();
    }
    const { identity, apiKeyId } = person.participant;
    if (identity === this.#last) return;
    const now = performance.now();
    if (now - (this.#reportedAt.get(identity) ?? -Infinity) < againAfterMs) return;
    this.#last = identity;
    this.#reportedAt.set(identity, now);
    const request: RoomRequest = {
      ...requestOf('screen', person.participant, identity),
      ...(apiKeyId !== undefined && { api_key_id: apiKeyId }),
    };
    this.#sent = this.#sent.then(() => this.#report(request));
  }

  async #report(request: RoomRequest): Promise<void> {
    const { id, line, logger } = this.#options;
    for (let tries = 0; ; tries += 1) {
      try {
        const refused = await line.ask(id, request);
        if (refused !== null) logger.info({ refused }, 'Who touches a browser was not recorded.');
        return;
      } catch (error) {
        if (tries + 1 >= mostTries) {
          logger.warn({ err: error }, 'Who touches a browser could not be reported.');
          if (this.#last === request.participant) this.#last = undefined;
          return;
        }
      }
      await wait(pauseMs(retries, tries), undefined, { ref: false });
    }
  }
}
