import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Pool, QueryConfig } from 'pg';
import pino from 'pino';
import { connectPostgres, type Postgres } from '../postgres/index.ts';
import { freshDatabase } from '../verification/testbed/index.ts';
import { encrypt } from './cipher.ts';
import { dataKeyContext } from './data-keys.ts';
import { askAllTheTime } from './testing/asking.ts';
import { createMasterKeys, createVault, vaultMigrations } from './index.ts';

const masterKey = randomBytes(32);
const masterKeys = createMasterKeys([masterKey]);

describe('the vault', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let postgres: Postgres;
  let pool: Pool;
  const connect = () => connectPostgres({ url: database.url, logger: pino({ level: 'silent' }) });
  before(async () => {
    database = await freshDatabase();
    postgres = connect();
    ({ pool } = postgres);
    for (const { sql } of vaultMigrations) await pool.query(sql);
  });
  after(async () => {
    await postgres.close();
    await database.drop();
  });
  const newAccount = () => `acc_${randomUUID()}`;
  /** The message of a rejection. */
  const failure = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'none',
      (error: unknown) => String(error),
    );

  it('uses no nonce twice', () => {
    const nonces = Array.from({ length: 1000 }, () =>
      encrypt(masterKey, Buffer.from('same'), 'same').toString('hex', 0, 12),
    );
    expect(new Set(nonces).size).to.equal(1000);
  });

  it('gives back what it sealed, in this process and in the next', async () => {
    const account = newAccount();
    const sealed = await createVault({ pool, masterKeys }).seal(account, 'email', 'zoë@example.com');
    const next = createVault({ pool, masterKeys });
    expect(await next.open(account, 'email', sealed)).to.deep.equal({ text: 'zoë@example.com' });
  });

  it('keeps neither the text nor the key in clear', async () => {
    const account = newAccount();
    const sealed = await createVault({ pool, masterKeys }).seal(account, 'email', 'canary@example.com');
    expect(Buffer.from(sealed.split('.')[1] ?? '', 'base64url').toString('latin1')).not.to.contain('canary');
    const { rows } = await pool.query<{ master_key: string; wrapped: Buffer }>(
      'select * from vault.data_keys where account_id = $1',
      [account],
    );
    expect(rows[0]).to.include({ master_key: masterKeys.names[0] });
    expect(rows[0]?.wrapped).to.have.lengthOf(12 + 32 + 16);
  });

  it('seals the same text differently each time', async () => {
    const vault = createVault({ pool, masterKeys });
    const account = newAccount();
    expect(await vault.seal(account, 'email', 'same')).not.to.equal(
      await vault.seal(account, 'email', 'same'),
    );
  });

  it('opens what belongs to many accounts with one look-up of their keys', async () => {
    const sealing = createVault({ pool, masterKeys });
    const accounts = Array.from({ length: 20 }, newAccount);
    const sealed = await Promise.all(accounts.map((account) => sealing.seal(account, 'email', account)));
    const asked: unknown[] = [];
    const counted = new Proxy(pool, {
      get: (target, name): unknown =>
        name === 'query'
          ? (query: QueryConfig) => {
              asked.push(query.values);
              return target.query(query);
            }
          : Reflect.get(target, name),
    });
    const vault = createVault({ pool: counted, masterKeys });
    const opened = await Promise.all(
      accounts.map((account, index) => vault.open(account, 'email', sealed[index] ?? '')),
    );
    expect(opened).to.deep.equal(accounts.map((text) => ({ text })));
    expect(asked).to.deep.equal([[accounts]]);
  });

  it('refuses a sealed value moved to another field or account, or changed', async () => {
    const vault = createVault({ pool, masterKeys });
    const [account, other] = [newAccount(), newAccount()];
    const sealed = await vault.seal(account, 'email', 'secret');
    await vault.seal(other, 'email', 'secret');
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    for (const attempt of [
      vault.open(account, 'phone', sealed),
      vault.open(other, 'email', sealed),
      vault.open(account, 'email', changed),
      vault.open(account, 'email', 'plain text'),
      vault.open(newAccount(), 'email', sealed),
    ])
      expect(await failure(attempt)).not.to.equal('none');
  });

  it('says erased once the account is forgotten, and seals nothing for it any more', async () => {
    const vault = createVault({ pool, masterKeys });
    const account = newAccount();
    const sealed = await vault.seal(account, 'email', 'secret');
    await vault.forget(account);
    await vault.forget(account);
    expect(await vault.open(account, 'email', sealed)).to.deep.equal({ erased: true });
    expect(await failure(vault.seal(account, 'email', 'again'))).to.contain('erased');
  });

  it('refuses a key that another vault destroyed once its age is reached, although it is asked for all the time', async () => {
    const account = newAccount();
    let now = 0;
    const vault = createVault({ pool, masterKeys, keyAgeMs: 1000, now: () => now });
    const sealed = await vault.seal(account, 'email', 'secret');
    await createVault({ pool, masterKeys }).forget(account);
    const opened: boolean[] = [];
    for (now = 0; now <= 1200; now += 100)
      opened.push('text' in (await vault.open(account, 'email', sealed)));
    expect(opened.map((text) => (text ? 't' : 'e')).join('')).to.equal('tttttttttteee');
  });

  it('counts the age of a key from before it was read, so that a slow answer does not make it younger', async () => {
    const account = newAccount();
    const sealed = await createVault({ pool, masterKeys }).seal(account, 'email', 'secret');
    let now = 0;
    const slow = connect();
    slow.pool.on('release', () => (now += 900));
    const vault = createVault({ pool: slow.pool, masterKeys, keyAgeMs: 1000, now: () => now });
    await vault.open(account, 'email', sealed);
    await createVault({ pool, masterKeys }).forget(account);
    now += 100;
    expect(await vault.open(account, 'email', sealed)).to.deep.equal({ erased: true });
    await slow.close();
  });

  it('refuses in every process, within the age of a key, what another process destroyed', async () => {
    const account = newAccount();
    const sealed = await createVault({ pool, masterKeys }).seal(account, 'email', 'secret');
    const keyAgeMs = 500;
    const asking = await askAllTheTime({ url: database.url, masterKey, keyAgeMs, account, sealed });
    try {
      const destroyed = performance.now();
      await createVault({ pool, masterKeys }).forget(account);
      const { afterMs, fromCache } = await asking.refused(destroyed);
      expect(afterMs).to.be.at.most(keyAgeMs + 500);
      // It had the key and used it many times: the refusal is due to its age.
      expect(fromCache).to.be.at.least(10);
    } finally {
      await asking.stop();
    }
  });

  it('makes one key when many processes seal for a new account at once', async () => {
    const account = newAccount();
    const vaults = Array.from({ length: 8 }, () => createVault({ pool, masterKeys }));
    const sealed = await Promise.all(vaults.map((vault) => vault.seal(account, 'email', 'same')));
    for (const each of sealed)
      expect(await vaults[0]?.open(account, 'email', each)).to.deep.equal({ text: 'same' });
  });

  it('has a salt for each owner, the same in every process and none once it is erased', async () => {
    const [account, other] = [newAccount(), newAccount()];
    const [vault, next] = [createVault({ pool, masterKeys }), createVault({ pool, masterKeys })];
    expect(await failure(vault.salt(account))).to.match(/has no data key/);
    for (const each of [account, other]) await vault.seal(each, 'email', 'same');
    const salt = await vault.salt(account);
    expect(salt).to.have.lengthOf(32);
    expect(salt.equals(await next.salt(account))).to.equal(true);
    expect(salt.equals(await vault.salt(other))).to.equal(false);
    await vault.forget(account);
    expect(await failure(vault.salt(account))).to.match(/is erased/);
  });

  it('has salts by HKDF: those of earlier releases, which pseudonyms in signed notes are made with', async () => {
    const account = newAccount();
    const vault = createVault({ pool, masterKeys });
    await vault.seal(account, 'email', 'same');
    const { rows } = await pool.query<{ masterKey: string; wrapped: Buffer }>(
      'select master_key as "masterKey", wrapped from vault.data_keys where account_id = $1',
      [account],
    );
    const [key] = rows.map((row) => masterKeys.unwrap(row, dataKeyContext(account)));
    const expected = hkdfSync('sha256', key ?? '', '', 'salt of pseudonyms', 32);
    expect(await vault.salt(account)).to.deep.equal(Buffer.from(expected));
  });

  it('names the master key it lacks', async () => {
    const account = newAccount();
    const sealed = await createVault({ pool, masterKeys }).seal(account, 'email', 'secret');
    const renewed = createVault({ pool, masterKeys: createMasterKeys([randomBytes(32)]) });
    expect(await failure(renewed.open(account, 'email', sealed))).to.contain(masterKeys.names[0]);
  });
});
