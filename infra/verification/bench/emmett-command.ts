import type { EventStoreDBClient } from '@eventstore/db-client';
import { commandAgainst, concurrency, decided, history, type Opponent } from './command-against.ts';
import { loadEmmett } from './emmett-packages.ts';

/**
 * Emmett's `CommandHandler` on its EventStoreDB store, with the same rule and the same event. Only ours validates the
 * event against its schema, derives its id from the command's, so that a repeated command stores nothing twice, retries
 * an append whose outcome is unknown, and runs commands on one stream in turn. Only Emmett's adds stream, position and
 * id to each event's metadata. Without a cache both read the stream's ten events for each command. Emmett has no cache;
 * ours is safe because the append names the revision it was decided on, so the comparison with it shows what each
 * offers its user.
 */
async function emmett(client: EventStoreDBClient): Promise<Opponent> {
  const { CommandHandler, getEventStoreDBEventStore } = await loadEmmett();
  const store = getEventStoreDBEventStore(client);
  const handle = CommandHandler<number>({ evolve: (count) => count + 1, initialState: () => 0 });
  return {
    name: 'CommandHandler',
    handle: async (stream) => {
      await handle(store, stream, decided);
    },
  };
}

const title = (state: string) =>
  `command, ${state} / Emmett's CommandHandler, streams of ${history}, ${concurrency} in flight`;

export const emmettCommand = commandAgainst(
  { id: 'emmett-command', title: title('no cache'), pass: 1, stretch: 3, long: true },
  0,
  emmett,
);

export const emmettCommandCached = commandAgainst(
  { id: 'emmett-command-cached', title: title('cached state'), pass: 1, stretch: 3, long: true },
  1_000,
  emmett,
);
