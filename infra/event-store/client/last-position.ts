import type { EventStore, Position } from './types.ts';

/** Position of the last event in streams whose names start with one of the prefixes; undefined if there is none. */
export async function lastPosition(
  store: Pick<EventStore, 'readAll'>,
  prefixes: readonly string[],
): Promise<Position | undefined> {
  for await (const { position } of store.readAll({ direction: 'backwards', limit: 1, prefixes }))
    return position;
  return undefined;
}
