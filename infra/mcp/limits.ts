/** How long a browser may stay unused before the service ends it. `kept`: one that is not to end with the connection. */
export const idleSeconds = { usual: 600, kept: 3600 } as const;

/** Milliseconds that a call waits for an agent or for a person, before it says how to go on waiting: clients give up at 60 s. */
export const patienceMs = 25_000;

/** Bytes of a file or a capture that a resource gives, in base64. */
export const mostOfResource = 8 * 1024 * 1024;
