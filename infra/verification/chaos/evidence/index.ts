import type { LogEvent } from './types.ts';

export type * from './types.ts';

/** A text field of an event's data; empty if there is none. */
export function field(event: LogEvent, name: string): string {
  const value = event.data[name];
  return typeof value === 'string' ? value : '';
}

export function grouped<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

export const byStream = (
  log: readonly LogEvent[],
  category: string,
): ReadonlyMap<string, readonly LogEvent[]> =>
  grouped(
    log.filter((event) => event.category === category),
    ({ stream }) => stream,
  );

export const sessionIdOf = (stream: string): string => `ses_${stream.slice('session-'.length)}`;
