import { request } from 'undici';
import { verifyInclusion, type Inclusion } from '../../../../contracts/audit/verify.mjs';
import { emptyFrontier, grow, subtreesText } from '../../../../contracts/audit/tree.ts';
import { headsOf, leafOf } from '../../../../projections/audit/tree.ts';
import { by, recorded, requested, sessionStream, aSession } from '../../../../projections/testing/index.ts';
import { listen } from '../../../http/index.ts';
import { inTransaction } from '../../../postgres/index.ts';
import { readApi } from '../bench-read-api.ts';
import { percentile, timed } from '../latency.ts';
import { setCheckpoint, startReadModels, type ReadModels } from '../read-models.ts';
import { addReader, filledAccount } from '../read-side.ts';
import { atMost, type Bench, type CheckSubject } from '../subject.ts';
import { entryHash, fillAuditLog } from './account-tree.ts';

const million = 1_000_000;

/** Read models with an account whose audit log has a million entries. */
async function withLongLog<T>(
  { directory, logger }: Bench,
  work: (models: ReadModels, token: string) => Promise<T>,
): Promise<T> {
  const models = await startReadModels(directory, logger);
  try {
    const { token } = await addReader(models.pool, 0, ['read', 'account_owner']);
    await fillAuditLog(models.pool, filledAccount(0), million);
    await setCheckpoint(models.pool, { commit: BigInt(million), prepare: BigInt(million) });
    return await work(models, token);
  } finally {
    await models.close();
  }
}

const proofBars = { pass: 5, stretch: 2.5 };
const requests = 200;
const warmUp = 50;

/** Consecutive proofs of entries all over the log, over HTTP, each checked by the verifier. */
export const inclusionProof: CheckSubject = {
  kind: 'check',
  id: 'proof-inclusion',
  title: 'inclusion proof of an account with a million entries, p50',
  unit: 'ms',
  long: true,
  bars: proofBars,
  check: (bench) =>
    withLongLog(bench, async ({ url, postgres }, token) => {
      const api = await listen(readApi(url, { postgres }), 0);
      const took: number[] = [];
      for (let index = -warmUp; index < requests; index += 1) {
        const sequence = 1 + (((index + warmUp) * 7919 * 127) % million);
        let proof: Inclusion | undefined;
        const ms = await timed(async () => (proof = await proofFrom(api.port, token, sequence)));
        if (proof === undefined || proof.size !== million || !verifyInclusion(proof))
          throw new Error(`The proof of entry ${sequence} does not hold.`);
        if (index >= 0) took.push(ms);
      }
      await api.close();
      return atMost(proofBars, percentile(took, 0.5), { p99_ms: percentile(took, 0.99), requests });
    }),
};

async function proofFrom(port: number, token: string, sequence: number): Promise<Inclusion> {
  const url = `http://127.0.0.1:${port}/v1/account/audit-log/${sequence}/proof`;
  const { statusCode, body } = await request(url, { headers: { authorization: `Bearer ${token}` } });
  if (statusCode !== 200) throw new Error(`${url} was answered ${statusCode}: ${await body.text()}`);
  return (await body.json()) as Inclusion;
}

const entryBars = { pass: 15, stretch: 7.5 };
const batches = 200;
const batchEntries = 500;

/**
 * Cost of the tree to the projector for each new entry, in CPU time of its process: the leaf, the subtrees that it
 * completes, their text, and its share of the frontier that a batch of 500 reads of a log of a million.
 */
export const newEntry: CheckSubject = {
  kind: 'check',
  id: 'proof-entry',
  title: `new entry of an account's tree with a million entries, batches of ${batchEntries}`,
  unit: 'µs',
  long: true,
  bars: entryBars,
  check: (bench) =>
    withLongLog(bench, async ({ pool }) => {
      const account = filledAccount(0);
      const [event] = [recorded(sessionStream(aSession()), requested(aSession(), account), by(account))];
      const readMs = await cpuOf(() =>
        inTransaction(pool, async (client) => {
          for (let batch = 0; batch < batches; batch += 1) await headsOf(client, 'read_model', [event]);
        }),
      );
      const growMs = await cpuOf(async () => {
        const tree = emptyFrontier();
        for (let entry = 0; entry < batches * batchEntries; entry += 1)
          if (subtreesText(grow(tree, leafOf({ hash: hashes[entry % batchEntries] ?? '' }))) === ' ')
            throw new Error('No base64 has a blank.');
      });
      const entries = batches * batchEntries;
      const [frontier_us, hashing_us] = [(1000 * readMs) / entries, (1000 * growMs) / entries];
      return atMost(entryBars, frontier_us + hashing_us, { frontier_us, hashing_us, entries });
    }),
};

const hashes = Array.from({ length: batchEntries }, (_, index) => entryHash(index));

/** CPU milliseconds of this process, in the second run. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  await work();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
