import { randomUUID } from 'node:crypto';
import { parseId } from '../../../contracts/ids.ts';
import { profileSaveFailures } from '../../../contracts/webhooks/event-types.ts';
import type { BrowserReport } from '../node/driver.ts';
import type { SimulatedPage } from './site.ts';

/** What a simulated browser reports of the pages it was on. */
export class Reports {
  #report: (report: BrowserReport) => void = () => undefined;
  #unsaved: BrowserReport | undefined;

  onReport(listener: (report: BrowserReport) => void): void {
    this.#report = listener;
  }

  arrived(url: URL, { challenge, egress, unsaveable }: SimulatedPage): void {
    if (challenge)
      this.#report({ kind: 'challenge_detected', challenge_id: `chl_${randomUUID()}`, challenge });
    if (egress) this.#report({ kind: 'egress_capabilities', capabilities: egress });
    if (unsaveable) this.#unsaved = saveFailure(url.searchParams);
  }

  /** It is being closed, which is when a profile would be saved. */
  closing(): void {
    if (this.#unsaved) this.#report(this.#unsaved);
  }
}

/** Undefined when the address names no profile. */
function saveFailure(query: URLSearchParams): BrowserReport | undefined {
  const profile = parseId('profile', query.get('profile') ?? '');
  const reason = profileSaveFailures.find((known) => known === query.get('reason')) ?? 'too_large';
  if (profile === undefined) return undefined;
  const detail = 'The simulated page left what could not be saved.';
  return { kind: 'profile_save_failed', profile_id: profile, reason, detail };
}
