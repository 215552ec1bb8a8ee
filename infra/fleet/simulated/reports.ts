import { randomUUID } from 'node:crypto';
import { parseId } from '../../../contracts/ids.ts';
import { profileSaveFailures } from '../../../contracts/webhooks/event-types.ts';
import type { BrowserReport } from '../node/driver.ts';
import type { SimulatedPage } from './site.ts';

/** What a simulated browser tells of the pages it was on. */
export interface Reports {
  onReport(listener: (report: BrowserReport) => void): void;
  arrived(url: URL, page: SimulatedPage): void;
  /** It is being closed, which is when a profile would be saved. */
  closing(): void;
}

export function openReports(): Reports {
  let tell: (report: BrowserReport) => void = () => undefined;
  let unsaved: BrowserReport | undefined;
  return {
    onReport: (listener) => {
      tell = listener;
    },
    arrived: (url, { challenge, egress, unsaveable }) => {
      if (challenge) tell({ kind: 'challenge_detected', challenge_id: `chl_${randomUUID()}`, challenge });
      if (egress) tell({ kind: 'egress_capabilities', capabilities: egress });
      if (unsaveable) unsaved = saveFailure(url.searchParams);
    },
    closing: () => {
      if (unsaved) tell(unsaved);
    },
  };
}

/** Undefined when the address names no profile. */
function saveFailure(query: URLSearchParams): BrowserReport | undefined {
  const profile = parseId('profile', query.get('profile') ?? '');
  const reason = profileSaveFailures.find((known) => known === query.get('reason')) ?? 'too_large';
  if (profile === undefined) return undefined;
  const detail = 'The simulated page left what could not be saved.';
  return { kind: 'profile_save_failed', profile_id: profile, reason, detail };
}
