import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Pool } from 'pg';
import pino from 'pino';
import { connectPostgres, type Postgres } from '../postgres/index.ts';
import { freshDatabase } from '../verification/testbed/index.ts';
import { countUnreadable, countWrapped, rewrap } from './rewrap.ts';
import { createMasterKeys, createSigningKeys, createVault, vaultMigrations } from './index.ts';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const [before, during, after] = [
  createMasterKeys([oldKey]),
  createMasterKeys([newKey, oldKey]),
  createMasterKeys([newKey]),
];
const [newName] = after.names;

describe('wrapping keys anew by another master key', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let postgres: Postgres;
  let pool: Pool;
  beforeEach(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger: pino({ level: 'silent' }) });
    ({ pool } = postgres);
    for (const { sql } of vaultMigrations) await pool.query(sql);
  });
  afterEach(async () => {
    await postgres.close();
    await database.drop();
  });
  /** Values sealed under the single old master key. */
  const sealedBefore = (count: number) => {
    const vault = createVault({ pool, masterKeys: before });
    return Promise.all(
      Array.from({ length: count }, async () => {
        const account = `acc_${randomUUID()}`;
        return { account, sealed: await vault.seal(account, 'email', account) };
      }),
    );
  };
  const openedBy = (masterKeys: typeof after, all: Awaited<ReturnType<typeof sealedBefore>>) => {
    const vault = createVault({ pool, masterKeys });
    return Promise.all(all.map(({ account, sealed }) => vault.open(account, 'email', sealed)));
  };

  it('opens everything with both keys before it, and with the new one alone after it', async () => {
    const all = await sealedBefore(7);
    const signing = createSigningKeys(pool, before, 'tokens');
    await signing.add(Buffer.from('to sign with'));
    const texts = all.map(({ account }) => ({ text: account }));
    expect(await openedBy(during, all)).to.deep.equal(texts);
    expect(await rewrap({ pool, masterKeys: during, batch: 3 })).to.deep.equal({
      rewrapped: 8,
      unreadable: 0,
    });
    expect(await openedBy(after, all)).to.deep.equal(texts);
    const [key] = await createSigningKeys(pool, after, 'tokens').all();
    expect(key?.secret.toString()).to.equal('to sign with');
    expect(await countWrapped(pool)).to.deep.equal([{ masterKey: newName, dataKeys: 7, signingKeys: 1 }]);
    expect(await rewrap({ pool, masterKeys: during })).to.deep.equal({ rewrapped: 0, unreadable: 0 });
  });

  it('goes on where it was cut off, after any batch', async () => {
    const all = await sealedBefore(5);
    const cutOff = () => {
      throw new Error('cut off');
    };
    for (let left = 5; left > 0; left -= 1) {
      const outcome = await rewrap({ pool, masterKeys: during, batch: 1, onProgress: cutOff }).catch(String);
      expect(outcome).to.equal('Error: cut off');
    }
    expect(await rewrap({ pool, masterKeys: during })).to.deep.equal({ rewrapped: 0, unreadable: 0 });
    expect(await openedBy(after, all)).to.deep.equal(all.map(({ account }) => ({ text: account })));
  });

  it('leaves a key erased that is forgotten between its reading and its writing', async () => {
    const all = await sealedBefore(3);
    const account = all[1]?.account ?? '';
    let isForgotten = false;
    const racing = new Proxy(pool, {
      get: (target, name) =>
        name !== 'query'
          ? (Reflect.get(target, name) as unknown)
          : async (text: string, values: unknown[]) => {
              if (text.includes('update') && !isForgotten) {
                isForgotten = true;
                await createVault({ pool, masterKeys: before }).forget(account);
              }
              return pool.query(text, values);
            },
    });
    expect(await rewrap({ pool: racing, masterKeys: during })).to.deep.equal({ rewrapped: 2, unreadable: 0 });
    expect((await openedBy(after, all))[1]).to.deep.equal({ erased: true });
  });

  it('takes keys on that were wrapped before master keys had names, and says which it cannot open', async () => {
    const all = await sealedBefore(2);
    const stranger = createVault({ pool, masterKeys: createMasterKeys([randomBytes(32)]) });
    await stranger.seal('acc_stranger', 'email', 'a@example.com');
    await pool.query(`update vault.data_keys set master_key = 'master:1' where account_id <> 'acc_stranger'`);
    expect(await openedBy(before, all)).to.deep.equal(all.map(({ account }) => ({ text: account })));
    expect(await rewrap({ pool, masterKeys: during })).to.deep.equal({ rewrapped: 2, unreadable: 1 });
    expect(await openedBy(after, all)).to.deep.equal(all.map(({ account }) => ({ text: account })));
  });

  it('tells what some keys do not open, also of keys that were wrapped before master keys had names', async () => {
    await sealedBefore(2);
    expect(await countUnreadable(pool, before)).to.deep.equal([]);
    expect(await countUnreadable(pool, after)).to.have.length(1);
    await pool.query(`update vault.data_keys set master_key = 'master:1'`);
    expect(await countUnreadable(pool, before)).to.deep.equal([]);
    expect(await countUnreadable(pool, after)).to.deep.equal([
      { masterKey: 'master:1', dataKeys: 2, signingKeys: 0 },
    ]);
  });
});
