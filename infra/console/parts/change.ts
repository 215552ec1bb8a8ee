import { useSignal } from '@preact/signals';
import { withStepUp } from './step-up.ts';

/** Makes one change at a time, after a step-up if it needs one; keeps its failure. */
export function useChange() {
  const isBusy = useSignal(false);
  const failure = useSignal<{ readonly error: unknown } | undefined>(undefined);
  const make = async (work: () => Promise<void>) => {
    if (isBusy.value) return;
    failure.value = undefined;
    isBusy.value = true;
    try {
      await withStepUp(work);
    } catch (error) {
      failure.value = { error };
    } finally {
      isBusy.value = false;
    }
  };
  return { isBusy, failure, make };
}
