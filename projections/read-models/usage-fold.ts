/** What happened in one hour, and how it ended. Times are milliseconds since 1970, in UTC. */
export interface UsageHour {
  /** Its first moment. */
  readonly hour: number;
  /** Sessions that began in it. */
  readonly started: number;
  /** Milliseconds of all its sessions together. */
  readonly busyMs: number;
  /** The most sessions at one time. */
  readonly peak: number;
  /** Up to when the hour is counted, and the sessions that were running then. */
  readonly countedTo: number;
  readonly running: number;
}

export const hourMs = 3_600_000;
const hourOf = (time: number): number => time - (time % hourMs);

const emptyHour = (time: number, running: number): UsageHour => ({
  hour: hourOf(time),
  started: 0,
  busyMs: 0,
  peak: 0,
  countedTo: hourOf(time),
  running,
});

/**
 * The hours of an account after one of its sessions began or ended: those that it adds or changes, the latest last.
 *
 * - While sessions run, every hour has a row; hours in which none ran have none.
 * - An event counts at its own time, but never before the one that the log has before it: clocks of several processes differ
 *   by a little, and in the order of the log the number of running sessions is exact.
 * - An end without a beginning changes nothing.
 */
export function countSession(
  latest: UsageHour | undefined,
  at: number,
  change: 1 | -1,
): readonly UsageHour[] {
  if (latest === undefined) return change === 1 ? [begun(emptyHour(at, 0), at)] : [];
  if (change === -1 && latest.running === 0) return [];
  const time = Math.max(at, latest.countedTo);
  const hours = latest.running > 0 ? runOn(latest, time) : [];
  const now = hours.at(-1) ?? (latest.hour === hourOf(time) ? latest : emptyHour(time, 0));
  return [...hours.slice(0, -1), change === 1 ? begun(now, time) : ended(now, time)];
}

const begun = (hour: UsageHour, time: number): UsageHour => ({
  ...hour,
  started: hour.started + 1,
  running: hour.running + 1,
  peak: Math.max(hour.peak, hour.running + 1),
  countedTo: time,
});

const ended = (hour: UsageHour, time: number): UsageHour => ({
  ...hour,
  running: hour.running - 1,
  countedTo: time,
});

/** The hours from the latest one to that of `time`, while its sessions run on. */
export function runOn(latest: UsageHour, time: number): readonly UsageHour[] {
  const { running } = latest;
  const hours: UsageHour[] = [];
  for (let hour = latest; ; hour = emptyHour(hour.hour + hourMs, running)) {
    const countedTo = Math.max(hour.countedTo, Math.min(time, hour.hour + hourMs));
    const busyMs = hour.busyMs + running * (countedTo - hour.countedTo);
    const peak = countedTo > hour.countedTo ? Math.max(hour.peak, running) : hour.peak;
    hours.push({ ...hour, busyMs, peak, countedTo });
    if (time < hour.hour + hourMs) return hours;
  }
}
