import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DomainEvent } from '../contracts/events/catalogue.ts';
import type { Scope } from '../contracts/events/api-key.ts';
import { uuidOf, type AccountId, type ApiKeyId } from '../contracts/ids.ts';
import { caller, outcomeOf, type Answer } from '../infra/http/testing.ts';
import { listen } from '../infra/http/index.ts';
import { createAccessTokens } from '../infra/credentials/access-tokens.ts';
import type { Clock } from '../infra/platform/clock.ts';
import { hashApiKey, issueApiKey } from '../infra/keys/index.ts';
import { acceptedByLogOf, composeReadApi } from '../infra/main/composition/read-api.ts';
import { createAccountPositions, createCardChecks, type AccountPositions } from '../infra/ephemeral/index.ts';
import { createRateLimits } from '../infra/rate-limits/index.ts';
import { tempDir } from '../infra/verification/testbed/index.ts';
import { createNoteKeys } from '../infra/notes/note-keys.ts';
import { createMasterKeys, createSigningKeys, createVault, type Vault } from '../infra/vault/index.ts';
import { createHeadSigner } from '../projections/audit/signing.ts';
import { anAccount, at, by, logger, startReadSide, type ReadSide } from '../projections/testing/index.ts';
import { errorsBase, peppers, testConfig } from '../write-api/testing/config.ts';
import type { ReadApiOptions } from './index.ts';
import { createFeeds } from './feed/hub.ts';
import { createStatusHub } from './status/hub.ts';
import { createTranscripts, type HubOptions } from './transcript/hub.ts';

export { errorsBase, outcomeOf, peppers };

const baseUrl = 'https://service.example';
// Longer than any projector takes, also on a busy machine.
const config = () => testConfig({ BASE_URL: baseUrl, READ_YOUR_WRITES_WAIT: 10_000 });

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
  const streams = openStreams(side, vault, clock, { heartbeatMs, logger: options.logger ?? logger });
  const { postgres, store } = side;
  const rateLimits = createRateLimits({ logger, enforced: false });
  const ports = {
    ...{ ...keys, ...streams, config: config(), clock, logger },
    ...{ postgres, store, peppers, rateLimits, cardChecks: createCardChecks({ pool, clock, logger }) },
  };
  const acceptedByLog = acceptedByLogOf(ports, store);
  // Without a configured base URL, so that cookies are secure and no further origin is the service's.
  const asDeployed = { checkReplies: true, baseUrl: undefined };
  const app = composeReadApi({ ...ports, acceptedByLog }, { ...asDeployed, ...options });
  const { port, close } = await listen(app, 0);
  return {
    ...{ ...side, ...streams, port },
    call: caller(port),
    ...{ ...keys, masterKey, ...writeSide(side, positions, vault) },
    advance: (ms: number) => void (now += ms),
    async close() {
      streams.transcripts.end();
      streams.feeds.end();
      await streams.status.close();
      await close();
      await streams.transcripts.close();
      await streams.feeds.close();
      await side.close();
    },
  };
}

/** Connections that stay open as long as a client listens. */
function openStreams(
  { store, postgres: { pool } }: ReadSide,
  vault: Vault,
  clock: Clock,
  options: { readonly heartbeatMs: number; readonly logger: HubOptions['logger'] },
) {
  const file = join(tempDir('status'), 'status.json');
  return {
    transcripts: createTranscripts({ store, pool, vault, clock, ...options }),
    feeds: createFeeds({ store, pool, clock, ...options }),
    status: createStatusHub({
      ...{ store, clock, file, logger, confirmMs: 50 },
      heartbeatMs: options.heartbeatMs,
    }),
  };
}

/** The secrets for the vault and the tokens of web sessions. */
function secrets({ postgres: { pool } }: ReadSide, clock: Clock) {
  const masterKey = randomBytes(32);
  const masterKeys = createMasterKeys([masterKey]);
  const keys = createSigningKeys(pool, masterKeys, 'access tokens');
  const tokens = createAccessTokens({ keys, clock, accessMs: 900_000 });
  const vault = createVault({ pool, masterKeys });
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

interface KeyChanges {
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: string;
  readonly at?: string;
}

function newKey(accountId: AccountId, changes: KeyChanges = {}) {
  const { id, text, ...shown } = issueApiKey();
  const hash = hashApiKey(text, peppers.newest);
  const data = { ...someKey, apiKeyId: id, accountId, ...shown, hash, ...changes };
  return { id, text, stream: `api_key-${uuidOf(id)}`, event: { type: 'ApiKeyCreated', data } };
}

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
  const addKey = async (accountId: AccountId, changes: KeyChanges = {}) => {
    const { stream, event, ...key } = newKey(accountId, changes);
    await write(accountId, stream, [event]);
    return key;
  };
  /** A key that readers do not wait for. */
  const addUnrecordedKey = async (accountId: AccountId) => {
    const { stream, event, ...key } = newKey(accountId);
    await side.append(stream, [event], by(accountId));
    return key;
  };
  /** An account with a key. */
  const addAccount = async (email = 'someone@example.com') => {
    const account = anAccount();
    const sealedEmail = await vault.seal(account, 'email', email);
    const created = { type: 'AccountCreated', data: { accountId: account, sealedEmail, tier: 'team', at } };
    await write(account, `account-${uuidOf(account)}`, [created]);
    return { account, key: await addKey(account) };
  };
  return { write, addKey, addUnrecordedKey, addAccount };
}

export type ReadApi = Awaited<ReturnType<typeof startReadApi>>;

/** The items of a list, in the shape the test knows they have. */
export const dataOf = <Item = Record<string, unknown>>({ json }: Answer): Item[] => json.data as Item[];
