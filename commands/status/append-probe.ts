import { randomUUID } from 'node:crypto';
import { v4 as uuidv4 } from 'uuid';
import { streamOf } from '../../contracts/events/catalogue.ts';
import { probeEvents } from '../../contracts/events/probe.ts';
import type { EventStore } from '../../infra/event-store/client/types.ts';
import { systemContext } from '../engine/context.ts';
import { toAppend } from '../engine/recording.ts';

/** Appends the same event of this term again: the store processes it like any append, but stores nothing more. */
export function appendProbe(store: Pick<EventStore, 'append'>) {
  const stream = streamOf(probeEvents, uuidv4());
  const at = new Date().toISOString();
  const began = { type: 'ProbingBegan', data: { at } } as const;
  const events = toAppend(probeEvents, [began], systemContext(randomUUID(), 'timer:prober'));
  return () => store.append(stream, 'no_stream', events);
}
