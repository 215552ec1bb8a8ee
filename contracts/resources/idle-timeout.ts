import { Type } from '../schema.ts';

/** How long a session may stay unused. Watching is noticed every few seconds, so that it cannot be less than some of them. */
export const IdleTimeoutSeconds = Type.Integer({
  ...{ minimum: 5, maximum: 3600 },
  description:
    'Ends the session with the reason `idle` once nothing has used it for so long: no operation, message, viewer or input. Without it, ' +
    'it stays.',
});

/** The idle timeout of a session or an agent session, as both show it. */
export const presentIdle = (timeoutMs: number | null | undefined) =>
  typeof timeoutMs === 'number' ? { idle_timeout_seconds: timeoutMs / 1000 } : {};
