import { idleFrom } from '../../domain/kit/idle.ts';

/** A request's idle timeout, counted from the creation. */
export const idleAfter = (
  { idle_timeout_seconds: seconds }: { readonly idle_timeout_seconds?: number },
  at: string,
) => idleFrom(seconds === undefined ? undefined : seconds * 1000, at);
