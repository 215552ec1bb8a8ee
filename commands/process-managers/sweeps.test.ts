import { expect } from 'chai';
import { toId, type AccountId } from '../../contracts/ids.ts';
import { v7 as uuidv7 } from 'uuid';
import { publicTree } from '../../domain/public-tree.ts';
import type { Runner } from '../engine/runner.ts';
import { createAnchoring } from '../public-tree/anchoring.ts';
import { quiet, TestClock } from '../session/testing.ts';
import { auditHeadSweep } from './audit-heads.ts';
import { cardCheckSweeps } from './card-checks.ts';
import { drainingNodesSweep } from './draining-nodes.ts';
import type { Sweep } from './engine/host.ts';
import { unsettledSweep } from './order.ts';
import { blobSweep } from './profile-states.ts';

const clock = new TestClock();
const accounts = (count: number): Promise<AccountId[]> =>
  Promise.resolve(Array.from({ length: count }, () => toId('account', uuidv7())));
const unused = {} as Runner;

type Item = () => void;

const checks = (item: Item) =>
  cardCheckSweeps({
    observe: () => Promise.resolve(item()).then(() => false),
    checks: { claim: () => Promise.resolve() },
    wanted: accounts,
    due: accounts,
    everyMs: 1000,
    newUuid: uuidv7,
    onChecked: () => undefined,
    logger: quiet,
  });

/** Each with thousands of items, or without an end, and the number of its items at once. */
const sweeps: Readonly<Record<string, readonly [atOnce: number, (item: Item) => readonly Sweep[]]>> = {
  'of the object store': [
    1,
    (item) => [
      blobSweep({
        blobs: {
          list: async function* () {
            for (let left = 1000; left > 0; left -= 1) {
              item();
              yield { key: 'notes.txt', storedAt: clock.now(), bytes: 1 };
            }
          },
          delete: () => Promise.resolve(),
        },
        ...{ runner: unused, clock, logger: quiet },
      }),
    ],
  ],
  'of requested checks of cards': [4, (item) => checks(item).slice(0, 1)],
  'of due checks of cards': [4, (item) => checks(item).slice(1)],
  'of unsettled payments': [
    4,
    (item) => [
      unsettledSweep({
        orders: { reconcile: () => Promise.resolve(item()) },
        unsettled: () => Promise.resolve(Array.from({ length: 1000 }, String)),
        ...{ clock, logger: quiet, everyMs: 1000 },
      }),
    ],
  ],
  'of draining nodes': [
    8,
    (item) => [
      drainingNodesSweep({
        registry: {
          list: () =>
            Promise.resolve([
              { nodeId: toId('node', uuidv7()), draining: true, ageMs: 0, leavesInMs: 60_000 },
            ]),
        },
        holdersOn: async () =>
          (await accounts(1000)).map((accountId) => ({
            ...{ accountId, agentSessionId: toId('agentSession', uuidv7()) },
            browser: { sessionId: toId('session', uuidv7()), origin: 'spawned', ended: false },
          })),
        agentSessions: { announceDrain: () => Promise.resolve(item()).then(() => unused as never) },
        ...{ runner: unused, clock, logger: quiet, liveMs: 1000, everyMs: 1000 },
      }),
    ],
  ],
  'of heads of audit logs': [
    8,
    (item) => {
      let pages = 0;
      const ports = {
        ...{ runner: unused, clock, logger: quiet },
        check: () => Promise.resolve(null),
        unrecorded: ({ limit }: { readonly limit: number }) => accounts((pages += 1) > 3 ? 0 : limit),
        sign: () => Promise.resolve(item()).then(() => Promise.reject(new Error('The key is away.'))),
        markRecorded: () => Promise.resolve(),
      };
      return [auditHeadSweep(ports, 1000)];
    },
  ],
  'of heads for the public tree': [
    1,
    (item) => {
      const { round } = createAnchoring({
        runner: {
          ...unused,
          load: () => Promise.resolve({ state: publicTree.initialState, revision: undefined }),
        } as unknown as Runner,
        ...{ clock, logger: quiet, intervalMs: 1000, elapsed: () => 0 },
        vault: { salt: () => Promise.resolve(item()).then(() => Buffer.alloc(32)) },
        changedHeads: async function* () {
          for (const accountId of await accounts(1000)) yield [{ accountId, size: 1, root: '' }];
        },
        projected: () => Promise.resolve(0),
        rootAt: () => Promise.resolve(''),
        signer: () =>
          Promise.resolve({
            ...{ origin: 'service.example', sign: () => '' },
            check: () => Promise.resolve(null),
          }),
        kept: { read: () => Promise.resolve(undefined), write: () => Promise.resolve() },
      });
      return [{ name: 'anchoring', everyMs: 1000, run: round }];
    },
  ],
};

describe('the sweep', () => {
  for (const [name, [atOnce, make]] of Object.entries(sweeps))
    it(`${name} begins no further items once the term has ended`, async () => {
      const term = new AbortController();
      let items = 0;
      const [sweep] = make(() => {
        items += 1;
        term.abort();
      });
      await sweep?.run(term.signal);
      expect(items).to.equal(atOnce);
    });
});
