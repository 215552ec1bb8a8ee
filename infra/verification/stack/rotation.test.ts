import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import pino from 'pino';
import { commandEnvironment } from '../../main/cli/environment.ts';
import { connectPostgres } from '../../postgres/index.ts';
import { countWrapped, createMasterKeys, keyHolders, type KeyHolder } from '../../vault/index.ts';
import { mailedToken } from '../security/canary-sign-in.ts';
import { startStack, until, type TestStack } from '../testbed/index.ts';
import { callerOf, startLoad, type Customer } from './rotation-load.ts';

const run = fileURLToPath(new URL('../../main/run.mjs', import.meta.url));
const env = { RATE_LIMITS: 'off' };
const limitMs = 120_000;
/** Enough for many batches. */
const manyOwners = 20_000;

describe('rotating the secrets of a service under load', function () {
  this.timeout(240_000);
  let stack: TestStack;
  after(() => stack.stop());

  const secrets = () =>
    JSON.parse(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8')) as Record<string, string>;
  const restart = async (): Promise<void> => {
    await stack.stop();
    stack = await startStack({ env, limitMs, dataDir: stack.dataDir });
  };
  const operate = async (...args: string[]) => {
    const { status, stdout, stderr } = await stack.service('secrets', ...args, '--json');
    return { status, stderr, answer: status === 0 ? (JSON.parse(stdout) as Record<string, unknown>) : {} };
  };
  const done = async (...args: string[]): Promise<Record<string, unknown>> => {
    const { status, stderr, answer } = await operate(...args);
    expect(status, `${args.join(' ')}: ${stderr}`).to.equal(0);
    return answer;
  };

  it('refuses nothing, loses nothing, and does not need the old ones any more', async () => {
    stack = await startStack({ env, limitMs });
    const customer = await newCustomer(stack);
    const before = secrets();
    const kept = await madeBefore(stack, customer);
    for (const name of ['master', 'pepper', 'cursor']) await done('rotate', name);
    expect((await operate('rewrap')).stderr).to.contain('write-api');
    await restart();

    const load = startLoad(stack, customer);
    await done('rotate', 'signing');
    await fillVault(stack, before.MASTER_KEY ?? '');
    await killedRewrap(stack);
    expect(await done('rewrap')).to.include({ unreadable: 0, left: 0 });
    const { done: errands, wrong } = await load.stop();
    expect(wrong.slice(0, 5).join('\n')).to.equal('');
    expect(errands).to.be.at.least(10);
    await stillWorks(stack, customer, kept);
    const [cursor] = await cursorOf(stack, customer);

    for (const name of ['master', 'pepper', 'cursor']) await done('retire', name);
    expect(secrets().MASTER_KEY).not.to.contain(before.MASTER_KEY);
    await restart();
    const again = startLoad(stack, customer);
    await stillWorks(stack, customer, { ...kept, refreshToken: undefined, cursor });
    expect((await again.stop()).wrong.slice(0, 5).join('\n')).to.equal('');
  });
});

async function newCustomer(stack: TestStack): Promise<Customer> {
  const call = callerOf(stack);
  const [email, password] = [`${randomUUID()}@example.com`, 'purple-otter-42-sings'];
  const body = { email, password, legal_revision: '1' };
  const { json } = await call('POST /v1/auth/signup', { token: null, body });
  const accountId = String(json.account_id);
  const verification = { token: await mailedToken(stack, accountId, 'account-verification') };
  await call('POST /v1/auth/verify-email', { token: null, body: verification });
  await stack.service('account', 'set-tier', '--account', accountId, '--tier', 'api_scale', '--json');
  const made = await stack.service(
    'key',
    'create',
    '--account',
    accountId,
    '--scopes',
    'read,write,account_owner',
    '--json',
  );
  const { api_key: token } = JSON.parse(made.stdout) as { api_key: string };
  const profile = await call('POST /v1/profiles', { token, body: { name: 'used under load' } });
  return { token, email, password, profileId: String(profile.json.id) };
}

interface MadeBefore {
  readonly cursor: string | undefined;
  readonly refreshToken: unknown;
}

/** Credentials and tokens issued before a rotation. */
async function madeBefore(stack: TestStack, customer: Customer): Promise<MadeBefore> {
  const call = callerOf(stack);
  for (const label of ['one', 'two']) {
    const { json } = await call('POST /v1/sessions', { token: customer.token, body: { label } });
    await call(`DELETE /v1/sessions/${String(json.id)}`, { token: customer.token });
  }
  const { email, password } = customer;
  const { json } = await call('POST /v1/auth/login', { token: null, body: { email, password } });
  const [cursor] = await cursorOf(stack, customer);
  return { cursor, refreshToken: json.refresh_token };
}

async function cursorOf(stack: TestStack, { token }: Customer): Promise<[string]> {
  const { json } = await callerOf(stack)('GET /v1/sessions?limit=1', { token });
  return [String(json.next_cursor)];
}

async function stillWorks(
  stack: TestStack,
  { token, email, password, profileId }: Customer,
  { cursor, refreshToken }: MadeBefore,
): Promise<void> {
  const call = callerOf(stack);
  const status = async (...request: Parameters<typeof call>) => (await call(...request)).status;
  expect(await status(`GET /v1/sessions?limit=1&cursor=${cursor}`, { token })).to.equal(200);
  expect(await status(`GET /v1/profiles/${profileId}`, { token })).to.equal(200);
  if (refreshToken !== undefined)
    expect(
      await status('POST /v1/auth/refresh', { token: null, body: { refresh_token: refreshToken } }),
    ).to.equal(200);
  // The address is still taken, under its original lookup hash.
  const body = { email, password, legal_revision: '1' };
  expect(await status('POST /v1/auth/signup', { token: null, body })).to.equal(409);
}

/** The vault of the stack. */
function openPool(stack: TestStack) {
  const url = commandEnvironment({ DATA_DIR: stack.dataDir }).POSTGRES_URL ?? '';
  return connectPostgres({ url, logger: pino({ level: 'silent' }) });
}

/** Data keys of many owners, wrapped by the previous master key. */
async function fillVault(stack: TestStack, masterKey: string): Promise<void> {
  const postgres = openPool(stack);
  const masterKeys = createMasterKeys([Buffer.from(masterKey, 'base64')]);
  const wrapped = Array.from({ length: manyOwners }, (_, index) =>
    masterKeys.wrap(Buffer.alloc(32, index), JSON.stringify(['data-key', `owner ${index}`])),
  );
  await postgres.pool.query(
    `insert into vault.data_keys (account_id, master_key, wrapped)
     select 'owner ' || (ordinality - 1), $1, wrapped from unnest($2::bytea[]) with ordinality as given (wrapped, ordinality)`,
    [masterKeys.names[0], wrapped.map((each) => each.wrapped)],
  );
  await postgres.close();
}

const hasBoth = ({ keys }: KeyHolder): boolean => keys.MASTER_KEY?.length === 2;

/** Runs the command, and ends it by `kill -9` when it has wrapped some keys and not all. */
async function killedRewrap(stack: TestStack): Promise<void> {
  const postgres = openPool(stack);
  const byOld = async (): Promise<number> =>
    Math.min(...(await countWrapped(postgres.pool)).map(({ dataKeys }) => dataKeys));
  const all = await countWrapped(postgres.pool);
  expect(all).to.have.lengthOf(2);
  const few = await byOld();
  const environment = { ...process.env, ...env, DATA_DIR: stack.dataDir };
  // A process with the old secret that was killed counts as alive for a while, and the command is refused until then.
  await until(async () => (await keyHolders(postgres.pool)).every(hasBoth), { limitMs: 60_000 });
  const child = spawn(process.execPath, [run, 'command', 'secrets', 'rewrap'], { env: environment });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const exit = once(child, 'exit');
  const ended = exit.then(async () =>
    Promise.reject(new Error(`It was not killed: ${(await said).join('')}`)),
  );
  await Promise.race([
    ended,
    until(async () => (await byOld()) > few + 500, { everyMs: 1, limitMs: 60_000 }),
  ]);
  child.kill('SIGKILL');
  await exit;
  expect(await countWrapped(postgres.pool), 'it was killed while there were some left').to.have.lengthOf(2);
  await postgres.close();
}
