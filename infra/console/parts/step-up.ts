import { signal } from '@preact/signals';
import { ServiceError } from '../../../contracts/client/index.ts';

/** Resolver of the change that waits for a code, called with whether one was entered. */
export const waitsForCode = signal<((isFresh: boolean) => void) | undefined>(undefined);

/**
 * Runs `work`; if a recent second factor is required, asks for it and retries once. `work` makes one change, so a refusal has
 * changed nothing.
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
