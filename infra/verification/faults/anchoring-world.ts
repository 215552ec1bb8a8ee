import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRunner } from '../../../commands/engine/runner.ts';
import { createAnchoring } from '../../../commands/public-tree/anchoring.ts';
import type { PublicTreeEvent } from '../../../contracts/events/public-tree.ts';
import { publicTreeUuid } from '../../../domain/public-tree.ts';
import { allPrefixes } from '../../../projections/catalogue.ts';
import { lastPosition } from '../../event-store/client/index.ts';
import { aSession, logger, requested, sessionStream } from '../../../projections/testing/index.ts';
import { startReadApi, type ReadApi } from '../../../read-api/testing.ts';
import { anchoringPorts } from '../../main/composition/anchoring-ports.ts';
import { systemClock } from '../../platform/clock.ts';
import { tempDir } from '../testbed/index.ts';

/** Configuration of an anchoring process. */
export interface Anchoring {
  readonly storeUrl: string;
  readonly postgresUrl: string;
  /** Base64. */
  readonly masterKey: string;
  readonly baseUrl: string;
  /** File in which the last head is kept. */
  readonly file: string;
  /** Counted from 1; without it the round is finished. */
  readonly stopBefore?: number;
}

const clockPreload = fileURLToPath(new URL('../chaos/world/clock-preload.mjs', import.meta.url));
const program = fileURLToPath(new URL('./anchoring-process.ts', import.meta.url));

/** A read-api with accounts, and their anchoring: in this process, or in processes that can be killed. */
export async function startAnchoringWorld(accountCount: number) {
  const api = await startReadApi();
  api.project();
  const accounts = await Promise.all(
    Array.from({ length: accountCount }, (_, index) => api.addAccount(`someone-${index}@example.com`)),
  );
  const file = join(tempDir('anchoring'), 'public-head.json');
  return {
    ...{ api, accounts },
    ...anchoringIn(api, file),
    /** Adds an entry to the log of each account. */
    change: async () => {
      for (const { account, key } of accounts) {
        const id = aSession();
        await api.write(account, sessionStream(id), [requested(id, account)], key.id);
      }
    },
    events: async (): Promise<PublicTreeEvent[]> => {
      const events: PublicTreeEvent[] = [];
      for await (const { type, data } of api.store.readStream(`public_tree-${publicTreeUuid}`))
        events.push({ type, data } as PublicTreeEvent);
      return events;
    },
  };
}

/** Snapshots are in the log too, but no projector follows them. */
async function caughtUp({ store, caughtUp: until }: ReadApi): Promise<void> {
  const last = await lastPosition(store, allPrefixes);
  if (last !== undefined) await until(last);
}

const anchoringIn = (api: ReadApi, file: string) => ({
  round: async (): Promise<void> => {
    await caughtUp(api);
    const { store, vault, noteKeys } = api;
    const { pool } = api.postgres;
    const runner = createRunner({ store, logger, cacheEntries: 10 });
    const ports = { pool, store, runner, clock: systemClock, vault, noteKeys, logger, intervalMs: 0, file };
    await createAnchoring({ ...anchoringPorts(ports), leavesAnEvent: 2 }).round();
    await caughtUp(api);
  },
  /**
   * Kills the process before the step, or after the last one; its clock is off by `clockMs`. Resolves to whether it
   * reached the step.
   */
  killedBefore: async (stopBefore?: number, clockMs = 0): Promise<boolean> => {
    await caughtUp(api);
    const told: Anchoring = {
      ...{ storeUrl: api.storeUrl, postgresUrl: api.url, masterKey: api.masterKey.toString('base64') },
      ...{ baseUrl: 'https://service.example', file },
      ...(stopBefore !== undefined && { stopBefore }),
    };
    const offset = join(tempDir('clock'), 'offset');
    writeFileSync(offset, String(clockMs));
    const child = fork(program, [JSON.stringify(told)], {
      env: { ...process.env, CHAOS_CLOCK: offset },
      execArgv: ['--import', 'tsx', '--import', clockPreload],
    });
    const ended = once(child, 'exit');
    const [said] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
    child.kill('SIGKILL');
    await ended;
    if (said !== 'stopped' && said !== 'done') throw new Error(`The process ended with ${String(said)}.`);
    return said === 'stopped';
  },
});

export type AnchoringWorld = Awaited<ReturnType<typeof startAnchoringWorld>>;
