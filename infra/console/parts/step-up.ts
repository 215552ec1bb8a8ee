import { signal } from '@preact/signals';
import { ServiceError } from '../../../contracts/client/index.ts';

/** Who waits for a code; told whether it came. */
export const waitsForCode = signal<((isFresh: boolean) => void) | undefined>(undefined);

/**
 * Does it, and where that asks for a second factor given lately, once more when the reader has given one. `work` makes one change: a
 * refusal has changed nothing.
 */
export async function withStepUp<T>(work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.is('mfa-step-up-required')) throw error;
    const isFresh = await new Promise<boolean>((resolve) => (waitsForCode.value = resolve));
    if (!isFresh) throw error;
  }
  return work();
}
