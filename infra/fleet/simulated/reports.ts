import { randomUUID } from 'node:crypto';
import { profileSaveFailures } from '../../../contracts/webhooks/event-types.ts';
import { StateNotLeft, type BrowserReport } from '../node/driver.ts';
import type { SimulatedPage } from './site.ts';

/** Reports of a simulated browser about the pages it has loaded. */
export class Reports {
  #report: (report: BrowserReport) => void = () => undefined;
  #unsaveable: StateNotLeft | undefined;
  /** The check in front of the page, and its address. */
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

  /** Whether the check with that id is solved. */
  cleared(challengeId: string): boolean {
    return this.#challenge?.id !== challengeId;
  }

  /** Throws if one of the loaded pages cannot be saved. */
  assertSaveable(): void {
    if (this.#unsaveable) throw this.#unsaveable;
  }
}

function saveFailure(query: URLSearchParams): StateNotLeft {
  const reason = profileSaveFailures.find((known) => known === query.get('reason')) ?? 'too_large';
  return new StateNotLeft(reason, 'The simulated page left what could not be saved.');
}
