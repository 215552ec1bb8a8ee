import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { archetypeCatalogue } from '../contracts/archetypes.ts';
import type { DomainEvent } from '../contracts/events/catalogue.ts';
import type { Scope } from '../contracts/events/api-key.ts';
import { uuidOf, type AccountId, type ApiKeyId } from '../contracts/ids.ts';
import { caller, type Answer } from '../infra/http/testing.ts';
import { listen } from '../infra/http/index.ts';
import { createAccessTokens } from '../infra/credentials/access-tokens.ts';
import type { Clock } from '../infra/platform/clock.ts';
import { hashApiKey, issueApiKey, onlyPepper } from '../infra/keys/index.ts';
import { createAccountPositions, type AccountPositions } from '../infra/ephemeral/index.ts';
import { createRateLimits } from '../infra/rate-limits/index.ts';
import { tempDir } from '../infra/verification/testbed/index.ts';
import { createNoteKeys } from '../infra/notes/note-keys.ts';
import { createMasterKeys, createSigningKeys, createVault, type Vault } from '../infra/vault/index.ts';
import { createHeadSigner } from '../projections/audit/signing.ts';
import { anAccount, at, by, logger, startReadSide, type ReadSide } from '../projections/testing/index.ts';
import { createReadApi, type ReadApiOptions } from './index.ts';
import { createStatusHub } from './status/hub.ts';
import { createTranscripts, type HubOptions } from './transcript/hub.ts';

export const errorsBase = 'https://errors.example';
export const peppers = onlyPepper('a pepper for tests');

const someSettings: ReadApiOptions['settings'] = {
  rateLevels: (caller) => createRateLimits({ logger, enforced: false }).levels(caller),
  webhooksPerAccount: 20,
  bundledLlm: { isAvailable: false, defaultCapCents: 2000 },
};

const someOptions = () => ({
  archetypes: archetypeCatalogue,
  limit: async () => ({ limit: 60, remaining: 59, resetSeconds: 1 }),
  limitAddress: async () => ({ limit: 60, remaining: 59, resetSeconds: 1 }),
  settings: someSettings,
  cursorKeys: [randomBytes(32)] as const,
  peppers,
  logger,
  errorsBase,
  checkReplies: true,
  keyCacheMs: 60_000,
  // Longer than any projector takes, also on a busy machine.
  maxWaitMs: 10_000,
});

/** A read-api over a real event store, Postgres and projector; tests write the events that the write side would. */
export async function startReadApi({
  heartbeatMs = 15_000,
  ...options
}: Partial<ReadApiOptions> & Pick<HubOptions, 'heartbeatMs'> = {}) {
  const side = await startReadSide();
  const { pool } = side.postgres;
  let now = new Date(at).getTime();
  const clock = { now: () => new Date(now) };
  const { masterKey, ...keys } = secrets(side, clock);
  const { vault } = keys;
  const positions = createAccountPositions({ pool, logger });
  const transcripts = createTranscripts({
    ...{ store: side.store, pool, vault, clock, heartbeatMs },
    logger: options.logger ?? logger,
  });
  const file = join(tempDir('status'), 'status.json');
  const status = createStatusHub({ store: side.store, clock, file, logger, heartbeatMs, confirmMs: 50 });
  const app = createReadApi({
    ...someOptions(),
    ...{ postgres: side.postgres, store: side.store, ...keys },
    ...{ clock, transcripts, status, ...options },
  });
  const { port, close } = await listen(app, 0);
  return {
    ...side,
    port,
    transcripts,
    status,
    call: caller(port),
    ...{ ...keys, masterKey, ...writeSide(side, positions, vault) },
    advance: (ms: number) => void (now += ms),
    async close() {
      transcripts.end();
      await status.close();
      await close();
      await transcripts.close();
      await side.close();
    },
  };
}

/** What the vault and the tokens of web sessions need. */
function secrets({ postgres: { pool } }: ReadSide, clock: Clock) {
  const masterKey = randomBytes(32);
  const masterKeys = createMasterKeys([masterKey]);
  const keys = createSigningKeys(pool, masterKeys, 'access tokens');
  const tokens = createAccessTokens({ keys, clock, accessMs: 900_000 });
  const vault = createVault({ pool, masterKeys });
  const baseUrl = 'https://service.example';
  const noteKeys = createNoteKeys({ keys: createSigningKeys(pool, masterKeys, 'audit notes'), baseUrl });
  const signHead = createHeadSigner({ pool, vault, noteKeys, baseUrl });
  return { masterKey, tokens, noteKeys, signHead, vault };
}

const someKey = {
  name: 'a key',
  scopes: ['read', 'account_owner'],
  expiresAt: null,
  rotatedFrom: null,
  at,
};

/** What the write side does before it answers: append, then record the position. */
function writeSide(side: ReadSide, positions: AccountPositions, vault: Vault) {
  const write = async (
    account: AccountId,
    stream: string,
    events: readonly DomainEvent[],
    key?: ApiKeyId,
  ) => {
    const position = await side.append(stream, events, by(account, key));
    await positions.record(account, position);
    return position;
  };
  const addKey = async (
    accountId: AccountId,
    changes: { readonly scopes?: readonly Scope[]; readonly expiresAt?: string; readonly at?: string } = {},
  ) => {
    const { id, text, ...shown } = issueApiKey();
    const hash = hashApiKey(text, peppers.newest);
    const data = { ...someKey, apiKeyId: id, accountId, ...shown, hash, ...changes };
    await write(accountId, `api_key-${uuidOf(id)}`, [{ type: 'ApiKeyCreated', data }]);
    return { id, text };
  };
  /** An account with a key. */
  const addAccount = async (email = 'someone@example.com') => {
    const account = anAccount();
    const sealedEmail = await vault.seal(account, 'email', email);
    const created = { type: 'AccountCreated', data: { accountId: account, sealedEmail, tier: 'team', at } };
    await write(account, `account-${uuidOf(account)}`, [created]);
    return { account, key: await addKey(account) };
  };
  return { write, addKey, addAccount };
}

export type ReadApi = Awaited<ReturnType<typeof startReadApi>>;

/** The items of a list, in the shape the test knows they have. */
export const dataOf = <Item = Record<string, unknown>>({ json }: Answer): Item[] => json.data as Item[];
/** The problem an answer is, or its status when it is none. */
export const outcomeOf = ({ status, json }: Answer): string | number =>
  status < 400 ? status : String(json.type).slice(errorsBase.length + 1);
