import { hourMs } from '../../contracts/durations.ts';

/** Usage in one hour. Times are milliseconds since 1970, in UTC. */
export interface UsageHour {
  /** Its start. */
  readonly hour: number;
  /** Sessions that started in it. */
  readonly started: number;
  /** Total milliseconds of all its sessions. */
  readonly busyMs: number;
  /** Maximum concurrent sessions. */
  readonly peak: number;
  /** End of the counted part of the hour, and the sessions running then. */
  readonly countedTo: number;
  readonly running: number;
  readonly agent: AgentUse;
}

/** Usage of agent sessions. */
export interface AgentUse {
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costCents: number;
}

export const noAgentUse: AgentUse = { turns: 0, inputTokens: 0, outputTokens: 0, costCents: 0 };

export const addAgentUse = (one: AgentUse, other: AgentUse): AgentUse => ({
  turns: one.turns + other.turns,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  costCents: one.costCents + other.costCents,
});

const hourOf = (time: number): number => time - (time % hourMs);

const emptyHour = (time: number, running: number): UsageHour => ({
  hour: hourOf(time),
  started: 0,
  busyMs: 0,
  peak: 0,
  countedTo: hourOf(time),
  running,
  agent: noAgentUse,
});

/**
 * An account's hours after one of its sessions began or ended: the added or changed ones, the latest last.
 *
 * - While sessions run, every hour has a row; otherwise only hours with use by agents.
 * - An event counts at its own time, but never before the previous event of the log: clocks of processes differ slightly, and in
 *   log order the number of running sessions is exact.
 * - An end without a beginning changes nothing.
 */
export function countSession(
  latest: UsageHour | undefined,
  at: number,
  change: 1 | -1,
): readonly UsageHour[] {
  if (change === -1 && (latest === undefined || latest.running === 0)) return [];
  return changedAt(latest, at, change === 1 ? begun : ended);
}

/** An account's hours after use by its agents, as above. */
export const countAgentUse = (
  latest: UsageHour | undefined,
  at: number,
  use: AgentUse,
): readonly UsageHour[] =>
  changedAt(latest, at, (hour, countedTo) => ({ ...hour, countedTo, agent: addAgentUse(hour.agent, use) }));

function changedAt(
  latest: UsageHour | undefined,
  at: number,
  change: (hour: UsageHour, time: number) => UsageHour,
): readonly UsageHour[] {
  const time = Math.max(at, latest?.countedTo ?? at);
  const hours = latest !== undefined && latest.running > 0 ? runOn(latest, time) : [];
  const now = hours.at(-1) ?? (latest?.hour === hourOf(time) ? latest : emptyHour(time, 0));
  return [...hours.slice(0, -1), change(now, time)];
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

/** The hours from the latest one to that of `time`, with its sessions running on. */
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
