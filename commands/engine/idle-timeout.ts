import { idleFrom } from '../../domain/kit/idle.ts';

/** The idle timeout that a request asks for, from its creation on. */
export const idleAfter = (
  { idle_timeout_seconds: seconds }: { readonly idle_timeout_seconds?: number },
  at: string,
) => idleFrom(seconds === undefined ? undefined : seconds * 1000, at);
