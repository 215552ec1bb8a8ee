import { signal } from '@preact/signals';
import { ServiceError } from '../../../contracts/client/index.ts';

/** Resolver of the changes that wait for a code, called with whether one was entered. */
export const waitsForCode = signal<((isFresh: boolean) => void) | undefined>(undefined);

let entered: Promise<boolean> | undefined;

/** Asks for a code, and resolves to whether one was entered. Changes that need one at the same time share the question. */
const askForCode = (): Promise<boolean> =>
  (entered ??= new Promise<boolean>((resolve) => (waitsForCode.value = resolve)).finally(
    () => (entered = undefined),
  ));

/**
 * Runs `work`; if a recent second factor is required, asks for it and retries once. `work` makes one change, so a refusal has
 * changed nothing.
 */
export async function withStepUp<T>(work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.is('mfa-step-up-required')) throw error;
    if (!(await askForCode())) throw error;
  }
  return work();
}
