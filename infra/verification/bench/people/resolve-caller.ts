import { createHmac, generateKeyPairSync, sign, timingSafeEqual, verify } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createCredentials } from '../../../../commands/credentials/index.ts';
import { createRunner } from '../../../../commands/engine/runner.ts';
import { toId, type WebSessionId } from '../../../../contracts/ids.ts';
import { webSessions } from '../../../../projections/read-models/web-session.ts';
import { createCredentials as createReadCredentials } from '../../../../read-api/engine/credentials.ts';
import { createFreshReads } from '../../../../read-api/engine/fresh-reads.ts';
import { authenticateBy } from '../../../../write-api/engine/authentication.ts';
import { peppers } from '../../../../write-api/testing/config.ts';
import { staffOf } from '../../../../write-api/testing/staff.ts';
import { connectEventStore } from '../../../event-store/client/index.ts';
import { origin } from '../../../event-store/client/position.ts';
import { systemClock } from '../../../platform/clock.ts';
import { hashApiKey, issueApiKey, onlyPepper } from '../../../keys/index.ts';
import { neverBehind } from '../bench-read-api.ts';
import { insertRows, startReadModels } from '../read-models.ts';
import { addReader, benchPepper, filledAccount, numberedUuid } from '../read-side.ts';
import { startStoreProcess } from '../store-process.ts';
import { atMost, type Bench, type CheckSubject } from '../subject.ts';
import { clearPorts } from '../write-side.ts';
import { asFigures, cpuInTurns, type Work } from './cpu-in-turns.ts';
import { requestWith } from './request-facts.ts';

const bars = { pass: 15, stretch: 10 };
const calls = 10_000;
/** Fewer: verifying a signature takes as long as resolving some twenty callers. */
const verifications = 500;
/** Caches live long, so that nothing is looked up again while measuring. */
const cacheMs = 3_600_000;

type Works = Readonly<Record<'key' | 'token', Work>>;

const never = (): Promise<never> => Promise.reject(new Error('A cached credential was looked up.'));

/** A caller of the write side, by a key and by a web session's token. */
async function onWriteSide({ directory, logger }: Bench): Promise<Works> {
  const server = await startStoreProcess(directory);
  const store = connectEventStore({ url: server.url, logger });
  const clear = clearPorts();
  const staff = staffOf({ ...clear, store });
  const { accountId, token } = await staff.account('enterprise');
  const { accessToken } = await staff.session(accountId);
  const runner = createRunner({ store, logger, cacheEntries: 100 });
  const ports = {
    ...clear,
    runner,
    maxAgeMs: cacheMs,
    freshMs: clear.config.STEP_UP_FRESH,
    termsRevision: '',
  };
  const authenticate = authenticateBy(createCredentials(ports), { record: () => undefined });
  for (const text of [token, accessToken]) await authenticate(requestWith(text), async () => undefined);
  await store.close();
  await server.stop();
  return resolving((text) => authenticate(requestWith(text), never), token, accessToken);
}

/** A caller of the read side: resolves it, and checks that nothing was written since that would change it. */
async function onReadSide({ directory, logger }: Bench): Promise<Works> {
  const { tokens } = clearPorts();
  const { pool, close } = await startReadModels(directory, logger);
  const { token } = await addReader(pool, 0);
  const webSessionId = toId('webSession', numberedUuid(0));
  await insertRows(pool, webSessions.table, [webSessionRow(webSessionId)]);
  const accessToken = await tokens.access({ webSessionId, accountId: filledAccount(0) });
  const reads = createFreshReads({ pool });
  const ports = { reads, tokens, peppers: onlyPepper(benchPepper), clock: systemClock };
  const store = { readStream: async function* () {} };
  const credentials = createReadCredentials({
    ...ports,
    store,
    acceptedByLog: neverBehind,
    cacheMs,
    termsRevision: '',
  });
  const resolve = async (text: string, beforeLookUp: () => Promise<void>) => {
    const request = requestWith(text);
    await credentials.confirm(await credentials.authenticate(request, beforeLookUp), request, origin);
  };
  for (const text of [token, accessToken]) await resolve(text, async () => undefined);
  await close();
  return resolving((text) => resolve(text, never), token, accessToken);
}

const resolving = (resolve: (text: string) => Promise<unknown>, key: string, token: string): Works => ({
  key: () => resolve(key),
  token: () => resolve(token),
});

const at = '2026-01-05T12:00:00.000Z';
const webSessionRow = (id: WebSessionId) => ({
  id,
  account_id: filledAccount(0),
  kind: 'web_session' as const,
  scopes: ['read' as const],
  epoch: 0,
  refresh_until: '2036-01-05T12:00:00.000Z',
  ended_at: null,
  created_at: at,
});

/** The raw work for a key: compute its HMAC, and compare it with the stored one. */
function rawKey(): Work {
  const text = issueApiKey().text;
  const stored = Buffer.from(hashApiKey(text, peppers.newest), 'hex');
  return async () => timingSafeEqual(createHmac('sha256', peppers.newest).update(text).digest(), stored);
}

/** The raw work for a token: verify its signature, which a cache of claims saves. */
function rawToken(): Work {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const text = Buffer.alloc(300, 't');
  const signature = sign(null, text, privateKey);
  return async () => verify(null, text, publicKey, signature);
}

/**
 * CPU time of resolving one caller with warm caches, on both sides. Event store and Postgres are stopped before, so
 * that nothing can be read from them.
 */
export const resolveCaller: CheckSubject = {
  kind: 'check',
  id: 'resolve-caller',
  long: true,
  title:
    'CPU time of resolving a caller from warm caches, the dearest of API key and access token, write and read side',
  bars,
  unit: 'us',
  async check(bench) {
    const [write, read] = [join(bench.directory, 'write'), join(bench.directory, 'read')];
    for (const directory of [write, read]) await mkdir(directory);
    const onWrite = await onWriteSide({ ...bench, directory: write });
    const onRead = await onReadSide({ ...bench, directory: read });
    const ours = {
      ...{ write_key: onWrite.key, write_token: onWrite.token },
      ...{ read_key: onRead.key, read_token: onRead.token },
    };
    const { raw_key_hmac, ...measured } = await cpuInTurns({ ...ours, raw_key_hmac: rawKey() }, calls);
    const { raw_token_signature } = await cpuInTurns({ raw_token_signature: rawToken() }, verifications);
    const medians = Object.values(measured).map(({ micros }) => micros.median);
    return atMost(bars, Math.max(...medians), asFigures({ ...measured, raw_key_hmac, raw_token_signature }));
  },
};
