import { Failure } from './failure.ts';
import { nextFrame, pause } from './dom.ts';

/** The reason why something is not true yet. */
export interface NotYet {
  readonly category: 'element_not_found' | 'condition_not_met';
  readonly reason: string;
}

/** Number of attempts at one per frame; later ones are this many milliseconds apart. */
const closeLooks = 30;
const rareMs = 50;

/** Retries until an attempt returns a value. When time is up, fails with the reason of the last attempt. */
export async function until<T>(
  endsAt: number,
  attempt: (index: number) => Promise<{ readonly value: T } | NotYet> | { readonly value: T } | NotYet,
): Promise<T> {
  for (let index = 0; ; index += 1) {
    const begin = performance.now();
    const outcome = await attempt(index);
    if ('value' in outcome) return outcome.value;
    if (performance.now() >= endsAt) throw new Failure('timeout', outcome.category, outcome.reason);
    // Expensive attempts are made less often, so that waiting does not slow the page down.
    const dear = (performance.now() - begin) * 4;
    const left = Math.max(0, endsAt - performance.now());
    if (index < closeLooks && dear < rareMs) await nextFrame();
    else await pause(Math.min(left, Math.max(rareMs, Math.min(dear, 1_000))));
  }
}
