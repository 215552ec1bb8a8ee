import type { ReplayOrder } from '../commands/webhook-endpoint/index.ts';
import type { ReplayRange } from '../contracts/resources/webhook-replay.ts';
import type { Clock } from '../infra/platform/clock.ts';
import { invalid } from '../infra/http/problem.ts';
import { timeOf } from '../infra/http/time.ts';

/** The range that a body asks for: of the past, and not empty. Without an end it ends now. */
export function replayOrderOf({ since, until, types }: ReplayRange, clock: Clock): ReplayOrder {
  const now = clock.now().getTime();
  const from = timeOf('/body/since', since).getTime();
  const to = until === undefined ? now : timeOf('/body/until', until).getTime();
  if (to > now) throw invalid({ path: '/body/until', code: 'future', message: 'must not be in the future' });
  if (from >= to)
    throw invalid({ path: '/body/since', code: 'range', message: 'must be before until, by default now' });
  return { since: new Date(from).toISOString(), until: new Date(to).toISOString(), types: types ?? null };
}
