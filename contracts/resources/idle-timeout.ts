import { Type } from '../schema.ts';

/** Idle timeout of a session. Watchers are reported every few seconds, hence the minimum. */
export const IdleTimeoutSeconds = Type.Integer({
  ...{ minimum: 5, maximum: 3600 },
  description:
    'Ends the session with the reason `idle` after this time without any operation, message, viewer or input. Without it, ' +
    'an idle session does not end.',
});

/** The idle timeout, as sessions and agent sessions show it. */
export const presentIdle = (timeoutMs: number | null | undefined) =>
  typeof timeoutMs === 'number' ? { idle_timeout_seconds: timeoutMs / 1000 } : {};
