import { Failure } from './failure.ts';
import { nextFrame, pause } from './dom.ts';

/** Why something is not so yet. */
export interface NotYet {
  readonly category: 'element_not_found' | 'condition_not_met';
  readonly reason: string;
}

/** Frames that are looked at one by one before the looks become rare; then milliseconds between two of them. */
const closeLooks = 30;
const rareMs = 50;

/** Tries again until a try gives a value. What stood in the way of the last one is the failure's reason. */
export async function until<T>(
  endsAt: number,
  attempt: (index: number) => Promise<{ readonly value: T } | NotYet> | { readonly value: T } | NotYet,
): Promise<T> {
  for (let index = 0; ; index += 1) {
    const begin = performance.now();
    const outcome = await attempt(index);
    if ('value' in outcome) return outcome.value;
    if (performance.now() >= endsAt) throw new Failure('timeout', outcome.category, outcome.reason);
    // A look that is dear to the page is taken more rarely, so that waiting does not slow down what is waited for.
    const dear = (performance.now() - begin) * 4;
    const left = Math.max(0, endsAt - performance.now());
    if (index < closeLooks && dear < rareMs) await nextFrame();
    else await pause(Math.min(left, Math.max(rareMs, Math.min(dear, 1_000))));
  }
}
