/** Idle timeout of a browser. `kept`: for one that is not ended with the connection. */
export const idleSeconds = { usual: 600, kept: 3600 } as const;

/**
 * How long a call waits for an agent or a person before it returns how to continue waiting, in milliseconds: clients time out at
 * 60 s.
 */
export const maxWaitMs = 25_000;

/** Maximum bytes of a file or a capture in a resource, which has it in base64. */
export const maxResourceBytes = 8 * 1024 * 1024;
