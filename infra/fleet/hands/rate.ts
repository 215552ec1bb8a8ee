/** Events of a participant: burst, and rate per second, which is that of moves at 120 Hz. The same as over HTTP. */
const [burst, perSecond] = [240, 120];

/** Token bucket. */
export class Rate {
  #left = burst;
  #at: number;

  constructor(now: number) {
    this.#at = now;
  }

  take(now: number): boolean {
    this.#left = Math.min(burst, this.#left + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
