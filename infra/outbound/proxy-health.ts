/**
 * Distinct hosts in a row for which a proxy says nothing until it counts as dead: with fewer it may be the targets that do not answer.
 */
export const silentHosts = 3;

/**
 * How long after its latest failure a connection shows that a dead proxy works again, in milliseconds. So one that fails now and then
 * is reported once.
 */
export const recoveryMs = 60_000;

/** Outcome of a connection through a proxy. */
export type Dialled =
  | { readonly outcome: 'connected' }
  /** The proxy answered that it does not connect to the target. */
  | { readonly outcome: 'refused' }
  /** The proxy was not reached, hung up, or refused its credentials. */
  | { readonly outcome: 'failed' }
  /** The proxy was reached and did not answer in time. `answersBefore`: its `answers` when the connection was begun. */
  | { readonly outcome: 'silent'; readonly host: string; readonly answersBefore: number };

/** What the connections through a proxy show about it. */
export interface ProxyHealth {
  readonly isDead: boolean;
  /** How many connections it has answered. */
  readonly answers: number;
  /** Hosts of the silent connections since its latest answer, `silentHosts` at most. */
  readonly silent: readonly string[];
  /** When it was last seen dead, on the clock of `at`. */
  readonly deadAt: number;
}

export const assumedHealth: ProxyHealth = { isDead: false, answers: 0, silent: [], deadAt: -Infinity };

/**
 * The health after a connection that ended at `at`, in milliseconds of a monotonic clock.
 *
 * | outcome   | the proxy                                                                               |
 * |-----------|-----------------------------------------------------------------------------------------|
 * | connected | is not silent; is not dead, unless it was seen dead within the last `recoveryMs`        |
 * | refused   | is not silent                                                                           |
 * | failed    | is dead                                                                                 |
 * | silent    | is dead if it said nothing for `silentHosts` hosts, and to nobody since they were begun |
 */
export function afterDialling(health: ProxyHealth, dialled: Dialled, at: number): ProxyHealth {
  const answered = { ...health, answers: health.answers + 1, silent: [] };
  switch (dialled.outcome) {
    case 'connected':
      return { ...answered, isDead: health.isDead && at - health.deadAt < recoveryMs };
    case 'refused':
      return answered;
    case 'failed':
      return { ...health, isDead: true, deadAt: at };
    case 'silent':
      return dialled.answersBefore === health.answers ? afterSilence(health, dialled.host, at) : health;
  }
}

function afterSilence(health: ProxyHealth, host: string, at: number): ProxyHealth {
  const silent = [...new Set([...health.silent, host])].slice(0, silentHosts);
  return silent.length < silentHosts
    ? { ...health, silent }
    : { ...health, silent, isDead: true, deadAt: at };
}

/** Follows the health of one proxy. */
export interface ProxyWatch {
  /** How many connections the proxy has answered. */
  answers(): number;
  add(dialled: Dialled): void;
}

/** Calls `onChange` whenever the proxy turns out to be dead, or works again. `now`: a monotonic clock, in milliseconds. */
export function watchProxy(
  onChange: (isDead: boolean) => void,
  now = (): number => performance.now(),
): ProxyWatch {
  let health = assumedHealth;
  return {
    answers: () => health.answers,
    add: (dialled) => {
      const { isDead } = health;
      health = afterDialling(health, dialled, now());
      if (health.isDead !== isDead) onChange(health.isDead);
    },
  };
}
