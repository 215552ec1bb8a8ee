import { randomUUID } from 'node:crypto';
import { profileSaveFailures } from '../../../contracts/webhooks/event-types.ts';
import { StateNotLeft, type BrowserReport } from '../node/driver.ts';
import type { SimulatedPage } from './site.ts';

/** What a simulated browser reports of the pages it was on. */
export class Reports {
  #report: (report: BrowserReport) => void = () => undefined;
  #unsaveable: StateNotLeft | undefined;

  onReport(listener: (report: BrowserReport) => void): void {
    this.#report = listener;
  }

  arrived(url: URL, { challenge, egress, unsaveable }: SimulatedPage): void {
    if (challenge)
      this.#report({ kind: 'challenge_detected', challenge_id: `chl_${randomUUID()}`, challenge });
    if (egress) this.#report({ kind: 'egress_capabilities', capabilities: egress });
    if (unsaveable) this.#unsaveable = saveFailure(url.searchParams);
  }

  /** Throws when one of the pages cannot be saved. */
  assertSaveable(): void {
    if (this.#unsaveable) throw this.#unsaveable;
  }
}

function saveFailure(query: URLSearchParams): StateNotLeft {
  const reason = profileSaveFailures.find((known) => known === query.get('reason')) ?? 'too_large';
  return new StateNotLeft(reason, 'The simulated page left what could not be saved.');
}
