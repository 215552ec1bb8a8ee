import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { toId, uuidOf, type AccountId } from '../../../contracts/ids.ts';
import { routes } from '../../../contracts/routes/index.ts';
import {
  aSession,
  anAccount,
  at,
  by,
  destroyed,
  metadataBy,
  ready,
  requested,
  sessionStream,
  startReadSide,
  type ReadSide,
} from '../../../projections/testing/index.ts';
import { origin, positionText } from '../../event-store/client/position.ts';
import { loadConfig } from '../../config/index.ts';
import { hashApiKey, issueApiKey } from '../../keys/index.ts';
import { sealedStore } from '../../personal/sealed-store.ts';
import { createVault } from '../../vault/index.ts';
import { until } from '../../verification/testbed/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { masterKeysOf } from '../composition/secrets.ts';
import { operatorOf } from './testing.ts';

const run = fileURLToPath(new URL('../run.mjs', import.meta.url));

interface Served {
  readonly url: string;
  readonly position: string;
  readonly at: string;
  readonly account: string | null;
}

describe('service as-of', () => {
  let side: ReadSide;
  let projector: ReturnType<ReadSide['project']>;
  let environment: ReturnType<typeof operatorOf> & { readonly CURSOR_KEY: string };
  const busy = createServer();
  const running = new Set<ReturnType<typeof spawn>>();
  before(async () => {
    side = await startReadSide();
    await once(busy.listen(0, '127.0.0.1'), 'listening');
    projector = side.project();
    environment = { ...operatorOf(side), CURSOR_KEY: randomUUID() };
  });
  afterEach(() => running.forEach((child) => child.kill('SIGKILL')));
  after(async () => {
    busy.close();
    await side.close();
  });

  const start = (...args: string[]) => {
    const child = spawn(process.execPath, [run, 'command', 'as-of', '--json', ...args], { env: environment });
    running.add(child);
    return child;
  };
  /** Resolves once it serves; `ended` resolves to its exit status. */
  const asOf = async (...args: string[]) => {
    const child = start(...args);
    let errors = '';
    child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
    const ended = once(child, 'exit').then(([status]) => {
      running.delete(child);
      return status as number | null;
    });
    const [line] = await Promise.race([
      once(createInterface({ input: child.stdout }), 'line'),
      ended.then(() => []),
    ]);
    if (typeof line !== 'string') throw new Error(`It ended: ${errors}`);
    const served = JSON.parse(line) as Served;
    const get = async (path: string, key?: string, method = 'GET') => {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const answer = await fetch(`${served.url}${path}`, { method, headers });
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    };
    const json = async <T = Record<string, unknown>>(path: string, key: string): Promise<T> => {
      const { status, text } = await get(path, key);
      expect(status, text).to.equal(200);
      return JSON.parse(text) as T;
    };
    const kill = (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    };
    return { ...served, get, json, ended, kill, errors: () => errors };
  };
  const schemas = () => side.rows(`select nspname from pg_namespace where nspname like 'as\\_of\\_%'`);
  const idsIn = ({ data }: { readonly data: readonly { readonly id: string }[] }) => data.map(({ id }) => id);

  const addKey = async (accountId: AccountId) => {
    const { id, text, ...shown } = issueApiKey();
    const [pepper = ''] = loadConfig(environment).KEY_PEPPER ?? [];
    const data = {
      ...{ apiKeyId: id, accountId, ...shown, hash: hashApiKey(text, pepper), name: 'a key' },
      ...{ scopes: ['read', 'account_owner'], expiresAt: null, rotatedFrom: null, at },
    };
    await side.append(`api_key-${uuidOf(id)}`, [{ type: 'ApiKeyCreated', data }], by(accountId));
    return { id, text };
  };
  const vaultOf = () =>
    createVault({ pool: side.postgres.pool, masterKeys: masterKeysOf(loadConfig(environment)) });
  const addAccount = async () => {
    const account = anAccount();
    const sealedEmail = await vaultOf().seal(account, 'email', 'someone@example.com');
    const data = { accountId: account, sealedEmail, tier: 'team', at };
    await side.append(`account-${uuidOf(account)}`, [{ type: 'AccountCreated', data }], by(account));
    return account;
  };
  const addSession = async (account: AccountId) => {
    const id = aSession();
    await side.append(sessionStream(id), [requested(id, account), ready(id)], by(account));
    return id;
  };
  const positionNow = async () => positionText((await side.store.head()) ?? origin);

  it('answers as the read side did then, with the credentials of now, and changes nothing', async () => {
    const account = await addAccount();
    const session = await addSession(account);
    const position = await positionNow();
    const key = await addKey(account);
    await side.append(sessionStream(session), [destroyed(session)], by(account));
    await addSession(account);
    await side.caughtUp();

    const past = await asOf(position);
    expect(past).to.include({ position, account: null });
    expect(Date.parse(past.at)).to.be.at.most(Date.now());
    const listed = await past.json<{ data: { id: string; status: string }[] }>('/v1/sessions', key.text);
    expect(listed.data.map(({ id, status }) => [id, status])).to.deep.equal([[session, 'ready']]);
    // A key created later gives access to the past, but is not in it.
    expect(idsIn(await past.json('/v1/api-keys', key.text))).to.deep.equal([]);
    const one = await past.get(`/v1/sessions/${session}`, key.text);
    expect(one.headers.get('x-service-as-of')).to.equal(position);
    expect(one.headers.get('x-service-position')).to.equal(position);
    const refused = await past.get('/v1/sessions', undefined);
    expect([refused.status, refused.headers.get('x-service-as-of')]).to.deep.equal([401, position]);
    const changed = await past.get('/v1/sessions', key.text, 'POST');
    expect([changed.status, changed.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);

    await projector.close();
    const late = await addKey(account);
    expect((await past.get('/v1/sessions', late.text)).status).to.equal(503);
    projector = side.project();
    await side.caughtUp();
    await past.json('/v1/sessions', late.text);
    const data = { apiKeyId: key.id, at };
    await side.append(`api_key-${uuidOf(key.id)}`, [{ type: 'ApiKeyRevoked', data }], by(account));
    await side.caughtUp();
    await until(async () => (await past.get('/v1/sessions', key.text)).status === 401);
    expect(await side.rows('select * from ephemeral.key_uses')).to.deep.equal([]);
    expect(await past.kill('SIGINT')).to.equal(0);
    expect([await schemas(), past.errors()]).to.deep.equal([[], '']);
  });

  it('answers on every route of the read side, also to an account that was made later', async () => {
    const [key, position] = [await addKey(await addAccount()), await positionNow()];
    const later = await addKey(await addAccount());
    await side.caughtUp();
    const past = await asOf(position);
    for (const { path } of routes.filter(({ side: served }) => served === 'read'))
      for (const { text: credential } of [key, later]) {
        const filled = path.replaceAll(/\{[^}]+\}/g, toId('session', randomUUID()));
        const { status, text, headers } = await past.get(filled, credential);
        expect(status, `${path}: ${text}`).to.be.lessThan(500);
        expect(headers.get('x-service-as-of'), path).to.equal(past.position);
      }
    expect(await past.kill('SIGTERM')).to.equal(0);
  });

  it('leaves its schema for the next start to remove if it is killed; the schema of one that still runs is kept', async () => {
    await addAccount();
    const position = await positionNow();
    const [killed, alive] = await Promise.all([asOf(position), asOf(position)]);
    expect(await schemas()).to.have.length(2);
    await killed.kill('SIGKILL');
    const next = await asOf(position);
    expect(await schemas()).to.have.length(2);
    for (const each of [alive, next]) {
      expect((await each.get('/v1/status')).status).to.equal(200);
      expect(await each.kill('SIGINT')).to.equal(0);
    }
    expect(await schemas()).to.deep.equal([]);
  });

  it('is rebuilt by the next start if it is killed during a build', async () => {
    const account = await addAccount();
    const [key, session] = [await addKey(account), await addSession(account)];
    await side.caughtUp();
    const position = await positionNow();
    const holder = await side.postgres.pool.connect();
    await holder.query('begin; lock table runtime.parked in access exclusive mode');
    const child = start(position);
    const building = `select pid from pg_stat_activity where application_name = 'operator' and wait_event_type = 'Lock'
      and datname = current_database()`;
    await until(async () => (await side.rows(building)).length === 1, { limitMs: 240_000 });
    const [half] = (await schemas()).map(({ nspname }) => nspname);
    expect(half).to.be.a('string');
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    await until(async () => (await side.rows(building)).length === 0, { limitMs: 60_000 });
    holder.release(true);
    const past = await asOf(position);
    expect((await schemas()).map(({ nspname }) => nspname))
      .to.have.length(1)
      .and.not.include(half);
    expect(idsIn(await past.json('/v1/sessions', key.text))).to.deep.equal([session]);
    expect(await past.kill('SIGINT')).to.equal(0);
    expect(await schemas()).to.deep.equal([]);
  }).timeout(300_000);

  it('has the data of one account only with --account', async () => {
    const [account, other] = [await addAccount(), await addAccount()];
    const [key, foreign] = [await addKey(account), await addKey(other)];
    const session = await addSession(account);
    await addSession(other);
    await side.caughtUp();
    const past = await asOf(await positionNow(), '--account', account);
    expect(past.account).to.equal(account);
    expect(idsIn(await past.json('/v1/sessions', key.text))).to.deep.equal([session]);
    expect((await past.get('/v1/sessions', foreign.text)).status).to.equal(404);
    await past.kill('SIGINT');
  });

  it('shows transferred resources to their present owner, and erased ones as erased', async () => {
    const [account, next] = [await addAccount(), await addAccount()];
    const [key, nextKey] = [await addKey(account), await addKey(next)];
    const id = toId('profile', randomUUID());
    const sealing = sealedStore(side.store, vaultOf());
    const append = async (type: string, owner: AccountId, more: object) => {
      const data = { profileId: id, accountId: owner, ...more, at };
      await sealing.append(`profile-${uuidOf(id)}`, 'any', [
        { id: randomUUID(), type, data, metadata: metadataBy(owner) },
      ]);
      return positionNow();
    };
    const made = { name: 'Work', archetype: 'iphone-15', description: 'of Ada', noiseSeed: 'A'.repeat(22) };
    const position = await append('ProfileCreated', account, {
      ...{ ...made, origin: { kind: 'created' }, state: null },
    });
    await append('ProfileTransferred', next, {
      fromAccountId: account,
      bytes: 0,
      name: 'Gift',
      description: null,
    });
    await side.caughtUp();
    const past = await asOf(position);
    const shown = async ({ text }: { readonly text: string }) =>
      (await past.json<{ data: { id: string; name: string }[] }>('/v1/profiles', text)).data;
    expect(await shown(key)).to.deep.equal([]);
    expect((await shown(nextKey)).map(({ name }) => name)).to.deep.equal(['Work']);
    const erased = { type: 'AccountErased', data: { accountId: account, at } };
    await side.append(`account-${uuidOf(account)}`, [erased], by(account));
    await vaultOf().forget(account);
    await side.caughtUp();
    await until(async () => (await shown(nextKey))[0]?.name === '');
    await until(async () => (await past.get('/v1/profiles', key.text)).status === 401);
    expect(await past.kill('SIGINT')).to.equal(0);
  });

  it('ends with one line when its Postgres breaks', async () => {
    const past = await asOf(await positionNow());
    await side.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'operator'`,
    );
    expect(await past.ended).to.equal(1);
    expect(past.errors()).to.match(/^The connection to Postgres broke: .+\n$/);
  });

  it('refuses an impossible moment with one line', async () => {
    const { port } = busy.address() as { port: number };
    const position = await positionNow();
    const away = { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' };
    const cases: readonly (readonly [string[], RegExp, object?])[] = [
      [['yesterday'], /Expected a time such as .+, or a position as X-Service-Position has it\./],
      [['2999-01-01'], /^2999-01-01T00:00:00.000Z is in the future\.\n$/],
      [['99999999999/0'], /^The log ends at \d+\/\d+\.\n$/],
      [['2001-01-01'], /^The first event of the log is of .+\.\n$/],
      [[position, '--port', String(port)], new RegExp(`^Port ${port} is in use\\. .+\\n$`)],
      [[position], /^A store does not answer \(read of the head: .+\n$/, away],
    ];
    for (const [args, words, changes] of cases) {
      const { status, stderr, stdout } = await runService(['as-of', ...args], { ...environment, ...changes });
      expect([status, stdout], stderr).to.deep.equal([1, '']);
      expect(stderr).to.match(words);
    }
    expect(await schemas()).to.deep.equal([]);
  });
});
