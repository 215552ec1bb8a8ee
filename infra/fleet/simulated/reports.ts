import { randomUUID } from 'node:crypto';
import { profileSaveFailures } from '../../../contracts/webhooks/event-types.ts';
import { StateNotLeft, type BrowserReport } from '../node/driver.ts';
import type { SimulatedPage } from './site.ts';

/** What a simulated browser reports of the pages it was on. */
export class Reports {
  #report: (report: BrowserReport) => void = () => undefined;
  #unsaveable: StateNotLeft | undefined;
  /** The check that stands before the page, and where. */
  #challenge: { readonly id: string; readonly at: string } | undefined;

  onReport(listener: (report: BrowserReport) => void): void {
    this.#report = listener;
  }

  arrived(url: URL, { challenge, egress, unsaveable }: SimulatedPage): void {
    if (challenge === undefined) this.#challenge = undefined;
    else if (this.#challenge?.at !== url.href) {
      this.#challenge = { id: `chl_${randomUUID()}`, at: url.href };
      this.#report({ kind: 'challenge_detected', challenge_id: this.#challenge.id, challenge });
    }
    if (egress) this.#report({ kind: 'egress_capabilities', capabilities: egress });
    if (unsaveable) this.#unsaveable = saveFailure(url.searchParams);
  }

  /** Whether the check of that id stands there no more. */
  cleared(challengeId: string): boolean {
    return this.#challenge?.id !== challengeId;
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
