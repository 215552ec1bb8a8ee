import { join } from 'node:path';
import pino from 'pino';
import { projectionMigrations, startProjector } from '../../../projections/index.ts';
import { createFeeds } from '../../../read-api/feed/hub.ts';
import { createStatusHub } from '../../../read-api/status/hub.ts';
import { createTranscripts } from '../../../read-api/transcript/hub.ts';
import {
  errorsBase,
  startWriteSide,
  type WriteSide,
  type WriteSideOptions,
} from '../../../write-api/testing.ts';
import { systemClock } from '../../platform/clock.ts';
import { createGateway } from '../../gateway/index.ts';
import { caller, outcomeOf, type Answer, type CallOptions } from '../../http/testing.ts';
import { listen } from '../../http/index.ts';
import { anchoringProcesses } from '../../main/composition/anchoring.ts';
import { acceptedByLogOf, composeReadApi } from '../../main/composition/read-api.ts';
import { openNoteKeys } from '../../main/composition/stores.ts';
import { createCardChecks } from '../../ephemeral/index.ts';
import { migrate } from '../../postgres/index.ts';
import { createRateLimits } from '../../rate-limits/index.ts';
import { tempDir, until } from '../testbed/index.ts';
import { createConformity } from './conformity.ts';

export { outcomeOf };

const logger = pino({ level: 'silent' });

/**
 * Both APIs, the projector and the gateway in this process, on a real event store, Postgres and node. Every answer
 * through `call` is checked against the served `/openapi.json`.
 */
export async function startWholeService(options: WriteSideOptions = {}) {
  const write = await startWriteSide(options);
  const { postgres, store } = write;
  await migrate(postgres.pool, projectionMigrations);
  const projector = startProjector({ store, pool: postgres.pool, logger, clock: systemClock });
  const front = await startFront(write, options.enforceRates === true);
  const send = caller(front.port);
  const conformity = createConformity((await send('GET /openapi.json', { token: null })).json);

  return {
    ...write,
    port: front.port,
    async call(target: string, call: CallOptions = {}): Promise<Answer> {
      const answer = await send(target, call);
      conformity.assert(target, answer);
      return answer;
    },
    /** Resolves when the read models have applied the whole log. */
    caughtUp: () => caughtUp(write),
    anchor: () => anchor(write),
    async close(): Promise<void> {
      await front.close();
      await projector.close();
      await write.close();
    },
  };
}

/** The read side beside the write side, and the gateway in front of both. */
async function startFront(write: WriteSide, enforceRates: boolean) {
  const read = await serveReadApi(write, enforceRates);
  const [writeUrl, readUrl] = [write.port, read.port].map((each) => `http://127.0.0.1:${each}`) as [
    string,
    string,
  ];
  const gateway = createGateway({ writeUrl, readUrl, errorsBase, logger });
  const front = await listen(gateway.listener, 0, { errorsBase });
  return {
    port: front.port,
    async close(): Promise<void> {
      await front.close();
      await gateway.close();
      await read.close();
    },
  };
}

/** Starts a read API. Several have caches of their own, like several processes. */
export async function serveReadApi({ ports, store, vault }: WriteSide, enforceRates = false) {
  const { pool } = ports;
  // The stand-in for the provider is configured as the service's bundled model.
  const config = { ...ports.config, LLM_API_KEY: 'bundled' };
  const transcripts = createTranscripts({ store, pool, vault, clock: systemClock, logger });
  const feeds = createFeeds({ store, pool, clock: systemClock, logger });
  const file = join(tempDir('status'), 'status.json');
  const status = createStatusHub({ store, clock: systemClock, logger, file });
  const readApi = composeReadApi({
    ...{ ...ports, config, store, transcripts, feeds, status, clock: systemClock },
    acceptedByLog: acceptedByLogOf({ ...ports, config, clock: systemClock }, store),
    rateLimits: createRateLimits({ logger, enforced: enforceRates }),
    noteKeys: openNoteKeys(config, pool),
    cardChecks: createCardChecks({ pool, clock: systemClock, logger }),
  });
  const { port, close } = await listen(readApi, 0, { errorsBase });
  return {
    port,
    call: caller(port),
    async close(): Promise<void> {
      transcripts.end();
      feeds.end();
      await status.close();
      await close();
      await transcripts.close();
      await feeds.close();
    },
  };
}

async function caughtUp({ store, pool }: WriteSide): Promise<void> {
  const head = await store.head();
  const passed = async () => {
    const { rows } = await pool.query<{ passed: boolean }>(
      "select commit_position >= $1 as passed from runtime.checkpoints where name = 'read_model'",
      [String(head?.commit ?? 0)],
    );
    return rows[0]?.passed;
  };
  await until(passed, { limitMs: 10_000 });
}

/** Anchors the current heads of all accounts in the public tree. */
async function anchor(write: WriteSide): Promise<void> {
  await caughtUp(write);
  const config = { ...write.config, ANCHOR_INTERVAL: 1 };
  const { signal } = new AbortController();
  for (const { run } of anchoringProcesses({ ...write.ports, config }).sweeps) await run(signal);
  await caughtUp(write);
}

export type WholeService = Awaited<ReturnType<typeof startWholeService>>;
