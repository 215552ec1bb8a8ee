import { timerKinds, type DomainEvent } from '../../contracts/events/catalogue.ts';
import { timerTypes } from '../../contracts/events/index.ts';

/** A due time that an event sets. */
export interface Timer {
  /** `<kind>-<subject id>`, the same here and in the read model of due times. */
  readonly id: string;
  /** ISO 8601. */
  readonly dueAt: string;
}

/** The timers an event starts, as its category declares them. */
export function timersOf({ type, data }: DomainEvent): readonly Timer[] {
  const change = timerTypes[type]?.(data, '');
  return timerKinds.flatMap((kind) => {
    const dueAt = change?.starts?.[kind] ?? null;
    return dueAt === null ? [] : [{ id: `${kind}-${change?.subject}`, dueAt }];
  });
}
