import { expect } from 'chai';
import { sessionEvents, type SessionEvent } from '../../../contracts/events/session.ts';
import { uuidOf, type SessionId } from '../../../contracts/ids.ts';
import { session } from '../../../domain/session/session.ts';
import {
  connectPostgres,
  migrate,
  postgresMigrations,
  type Postgres,
} from '../../../infra/postgres/index.ts';
import { freshDatabase, until, type TestDatabase } from '../../../infra/verification/testbed/index.ts';
import { createWorld, newCaller, newContext, newSessionId, quiet, useStore } from '../../session/testing.ts';
import { startHost, type Host } from './host.ts';
import { listParkedReactions, retryParkedReactions } from './parked-reactions.ts';
import { processManager } from './process-manager.ts';
import { defaultHostSettings } from './settings.ts';
import { processMigrations } from './tables.ts';

describe('a parked reaction', () => {
  const opened = useStore();
  let database: TestDatabase;
  let postgres: Postgres;
  const hosts: Host[] = [];
  before(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger: quiet });
    await migrate(postgres.pool, [...postgresMigrations, ...processMigrations]);
  });
  after(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    await postgres.close();
    await database.drop();
  });

  it('is retried at once on request; requested twice, and killed in between, it takes effect once', async () => {
    const { pool } = postgres;
    const world = createWorld(opened.store);
    const [caller, id, other] = [newCaller(), newSessionId(), newSessionId()];
    const end = (one: SessionId, context = newContext(caller.accountId)) => {
      const at = world.clock.now().toISOString();
      return world.runner.run(
        session,
        uuidOf(one),
        { type: 'DestroySession', cause: 'customer', at },
        context,
      );
    };
    for (const one of [id, other]) await world.sessions.create(newCaller(), one, {});
    await end(id);

    let goes: 'not' | 'as far as a kill' | 'well' = 'not';
    const commandIds = new Set<string>();
    const manager = processManager({
      name: 'ends-another',
      category: sessionEvents,
      react: ({ type, data }: SessionEvent) =>
        type === 'SessionDestroyed' && data.sessionId === id ? ['end'] : [],
      perform: async (_end, context) => {
        if (goes === 'not') throw new Error('not yet');
        await end(other, context);
        commandIds.add(context.commandId);
        // The state after a kill here: the effect, and a row that is still parked.
        if (goes === 'as far as a kill') throw new Error('killed');
      },
    });
    /** Starts retrying. Without a request the next retry is in an hour. */
    const start = () => {
      const often = { attempts: 1, standbyMs: 20, parkedRetryMs: 3_600_000 };
      const ports = { store: opened.store, pool, logger: quiet, managers: [manager] };
      const host = startHost({ ...defaultHostSettings, ...often, ...ports, name: 'processes' });
      hosts.push(host);
      return host;
    };

    const first = start();
    await until(async () => (await listParkedReactions(pool)).length === 1);
    const [parked] = await listParkedReactions(pool);
    expect(parked).to.include({ process: 'ends-another', event_type: 'SessionDestroyed' });
    expect(parked).to.include({ stream: `session-${uuidOf(id)}`, reason: 'Error: not yet' });
    expect(await retryParkedReactions(pool)).to.deep.equal({ took_effect: 0, still_parked: 1, not_tried: 0 });
    goes = 'as far as a kill';
    expect(await retryParkedReactions(pool)).to.include({ still_parked: 1 });
    await first.close();
    expect(await retryParkedReactions(pool, 0)).to.include({ not_tried: 1 });

    goes = 'well';
    const asked = Promise.all([retryParkedReactions(pool), retryParkedReactions(pool)]);
    start();
    for (const answer of await asked) expect(answer).to.include({ still_parked: 0, not_tried: 0 });
    expect(await listParkedReactions(pool)).to.deep.equal([]);
    expect(commandIds).to.have.property('size', 1);
    const ends = (await world.eventsOf('session', other)).filter((type) => type === 'SessionDestroyed');
    expect(ends).to.have.length(1);
  });
});
