import { timerKinds } from '../../contracts/events/catalogue.ts';
import type { EventMetadata } from '../../contracts/events/metadata.ts';

interface Caused {
  readonly id: string;
  readonly type: string;
  readonly category: string;
  readonly metadata: Pick<EventMetadata, 'correlation_id' | 'causation_id' | 'by'>;
}

/**
 * Complaints about events whose cause is not before them in the log with the same root. Reactions and timers are no
 * roots.
 */
export function withoutCause(log: readonly Caused[]): string[] {
  const roots = new Map<string, string>();
  return log.flatMap(({ id, type, category, metadata }) => {
    if (category === 'snapshot') return [];
    const { correlation_id, causation_id, by = 'request:before the run' } = metadata;
    const isRoot = causation_id === correlation_id && !isCaused(by);
    const isThere = isRoot || roots.get(causation_id) === correlation_id;
    roots.set(id, correlation_id);
    return isThere ? [] : [`${type} ${id}, ${by}, follows from ${causation_id}`];
  });
}

const causedBy = new Set([...timerKinds, 'delivery-attempt', 'delivery-end'].map((kind) => `timer:${kind}`));
const isCaused = (by: string): boolean => by.startsWith('reaction:') || causedBy.has(by);
