import { Agent } from 'undici';
import { createCredentials } from '../../../../commands/credentials/index.ts';
import { createRunner } from '../../../../commands/engine/runner.ts';
import { createTeamCommands } from '../../../../commands/team/index.ts';
import { routes, type RouteId } from '../../../../contracts/routes/index.ts';
import type { Route } from '../../../../contracts/routes/index.ts';
import { sessionList } from '../../../../projections/queries/session.ts';
import { createActFor } from '../../../../read-api/engine/acting.ts';
import { createCredentials as createReadCredentials } from '../../../../read-api/engine/credentials.ts';
import { createFreshReads } from '../../../../read-api/engine/fresh-reads.ts';
import { newestAfter } from '../../../../read-api/engine/paging.ts';
import { actForBy, authenticateBy } from '../../../../write-api/engine/authentication.ts';
import { peppers } from '../../../../write-api/testing/config.ts';
import { oneTimeTokens } from '../../../../write-api/testing/team.ts';
import type { EventStore, RecordedEvent } from '../../../event-store/client/index.ts';
import { keyedUuid, onlyPepper } from '../../../keys/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { createRateLimits } from '../../../rate-limits/index.ts';
import { neverBehind } from '../bench-read-api.ts';
import { startReadModels } from '../read-models.ts';
import { addMember, benchPepper, filledAccount, fillSessions } from '../read-side.ts';
import { startStoreProcess } from '../store-process.ts';
import type { Bench } from '../subject.ts';
import { instantFleet, clearPorts, startWriteSide } from '../write-side.ts';
import { guardOf, type Guard } from './guard.ts';
import { requestWith } from './request-facts.ts';
import { startTeam } from './team.ts';

export interface GuardedSide {
  readonly guard: Guard;
  /** The same request as a bare query where its data is stored. */
  readonly store: Guard;
  readonly close: () => Promise<void>;
}

/** Caches live long, so that nothing is looked up again while measuring. */
const cacheMs = 3_600_000;
const free = async (): Promise<void> => undefined;

const routeOf = (id: RouteId): Route => {
  const route = routes.find((each) => each.id === id);
  if (route === undefined) throw new Error(`There is no route ${id}.`);
  return route;
};

export async function guardOnWriteSide({ directory, logger }: Bench): Promise<GuardedSide> {
  const server = await startStoreProcess(directory);
  const side = await startWriteSide(server.url, instantFleet().fleet, logger);
  const agent = new Agent();
  const { owner, members } = await startTeam(side, agent, 1);
  const { through, answerAtOnce, readAgain } = seamOn(side.store);
  const runner = createRunner({ store: through, logger, cacheEntries: 100 });
  const ports = { ...side.ports, runner };
  const sessions = { freshMs: side.ports.config.STEP_UP_FRESH, termsRevision: '' };
  const credentials = createCredentials({ ...ports, ...sessions, maxAgeMs: cacheMs });
  const teams = createTeamCommands({
    ...ports,
    emailUuid: (email) => keyedUuid(email, peppers.naming),
    tokens: oneTimeTokens,
    inviteTtlMs: cacheMs,
    mails: createRateLimits({ logger, enforced: false }).mails,
    recordPosition: free,
  });
  const authenticate = authenticateBy(credentials, { record: () => undefined });
  const caller = await authenticate(requestWith(members[0]?.token ?? ''), free);
  const guard = guardOf(routeOf('sessions.navigate'), caller, owner.accountId, {
    findTeamCaller: actForBy(teams, credentials),
    limit: createRateLimits({ logger, enforced: false }).consume,
  });
  for (const warm of [guard.without, guard.withHeader]) await warm();
  answerAtOnce();
  return {
    guard,
    store: { withHeader: readAgain, without: free },
    close: async () => {
      await agent.close();
      await side.close();
      await server.stop();
    },
  };
}

/** A store whose reads can be answered immediately with no new events, as for a cached stream without writes. */
function seamOn(store: EventStore) {
  let isAnsweredAtOnce = false;
  let last: Parameters<EventStore['readStream']> | undefined;
  const through: EventStore = {
    ...store,
    readStream: (...asked) => {
      last = asked;
      return isAnsweredAtOnce ? nothing() : store.readStream(...asked);
    },
  };
  return {
    through,
    answerAtOnce: () => void (isAnsweredAtOnce = true),
    /** Repeats the last read against the real store. */
    readAgain: async (): Promise<void> => {
      if (last === undefined) throw new Error('Nothing was read yet.');
      for await (const event of store.readStream(...last)) throw new Error(`${event.stream} has changed.`);
    },
  };
}

async function* nothing(): AsyncGenerator<RecordedEvent> {}

export async function guardOnReadSide({ directory, logger }: Bench): Promise<GuardedSide> {
  const { pool, close } = await startReadModels(directory, logger);
  const { readers } = await fillSessions(pool, 200, 2);
  await addMember(pool, 0, 1);
  const reads = createFreshReads({ pool });
  const { tokens } = clearPorts();
  const ports = { reads, tokens, peppers: onlyPepper(benchPepper), clock: systemClock };
  const store = { readStream: nothing };
  const credentials = createReadCredentials({
    ...ports,
    store,
    acceptedByLog: neverBehind,
    cacheMs,
    termsRevision: '',
  });
  const caller = await credentials.authenticate(requestWith(readers[1]?.token ?? ''), free);
  const [owner, member] = [filledAccount(0), filledAccount(1)];
  const guard = guardOf(routeOf('sessions.list'), caller, owner, {
    findTeamCaller: createActFor(reads, cacheMs),
    limit: createRateLimits({ logger, enforced: false }).consume,
  });
  for (const warm of [guard.without, guard.withHeader]) await warm();
  const page = newestAfter([], { accountId: owner, limit: 51 });
  return {
    guard,
    store: {
      withHeader: () => reads.read(sessionList, page, { actorId: member }),
      without: () => reads.read(sessionList, page),
    },
    close,
  };
}
