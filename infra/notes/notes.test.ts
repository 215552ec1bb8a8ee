import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import pino from 'pino';
import { leafHash } from '../../contracts/audit/tree.ts';
import { verifyCheckpoint, verifyNote } from '../../contracts/audit/verify.mjs';
import { connectPostgres, type Postgres } from '../postgres/index.ts';
import { createMasterKeys, createSigningKeys, vaultMigrations } from '../vault/index.ts';
import { freshDatabase } from '../verification/testbed/index.ts';
import { followsLine } from './note.ts';
import { createNoteKeys, signHead } from './note-keys.ts';

describe('the keys of audit logs', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let postgres: Postgres;
  before(async () => {
    database = await freshDatabase();
    postgres = connectPostgres({ url: database.url, logger: pino({ level: 'silent' }) });
    for (const { sql } of vaultMigrations) await postgres.pool.query(sql);
  });
  beforeEach(() => postgres.pool.query('delete from vault.signing_keys'));
  after(async () => {
    await postgres.close();
    await database.drop();
  });

  const masterKeys = createMasterKeys([randomBytes(32)]);
  const noteKeys = (baseUrl = 'https://one.example') =>
    createNoteKeys({ keys: createSigningKeys(postgres.pool, masterKeys, 'audit notes'), baseUrl });
  const root = leafHash(Buffer.from('a leaf'));

  it('sign checkpoints that the verifier holds to them, under the name of the service’s tree', async () => {
    const keys = noteKeys();
    const key = await keys.current();
    const note = signHead(key, { origin: `${key.name}/some`, size: 1, root }, ['a line more']);
    expect(verifyCheckpoint(note, [key.vkey])).to.deep.equal({
      ...{ origin: 'one.example/audit/some', size: 1, root: root.toString('base64') },
    });
    expect(key.vkey).to.match(/^one\.example\/audit\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/);
  });

  it('are made once, however many processes ask first', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => noteKeys().current()));
    expect(new Set(made.map(({ vkey }) => vkey))).to.have.lengthOf(1);
    expect(await noteKeys().list()).to.have.lengthOf(1);
  });

  it('name the last head of the origin before them in a line of its own', () => {
    const root = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
    expect(followsLine({ origin: 'one.example/audit', size: 7, root })).to.equal(
      'follows one.example/audit 7 CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=',
    );
  });

  it('follow one another: each is introduced by a note of the one before it, whose time ends', async () => {
    const keys = noteKeys();
    const first = await keys.current();
    const second = await keys.rotate();
    const listed = await keys.list();
    expect(listed.map(({ vkey }) => vkey)).to.deep.equal([first.vkey, second.vkey]);
    expect(listed.map(({ until }) => until)).to.deep.equal([second.from, null]);
    expect(first.introduction).to.equal(null);
    expect(verifyNote(second.introduction ?? '', [first.vkey])).to.equal(`${second.name}\n${second.vkey}\n`);
    expect((await noteKeys().current()).vkey).to.equal(second.vkey);
  });

  it('end no earlier than they began, when the clock goes back between two rotations', async () => {
    const keys = noteKeys();
    await keys.current();
    await keys.rotate();
    await postgres.pool.query(
      `update vault.signing_keys set created_at = created_at - interval '1 day'
       where sequence = (select max(sequence) from vault.signing_keys)`,
    );
    const [first, second] = await keys.list();
    expect(first?.until).to.equal(second?.from);
    expect(second?.from).to.equal(first?.from);
  });

  it('have a new name where clients know the service by another address, and go on beside the old one', async () => {
    const [one, other] = [noteKeys(), noteKeys('https://other.example')];
    const before = await one.current();
    const after = await other.current();
    expect([before.name, after.name]).to.deep.equal(['one.example/audit', 'other.example/audit']);
    // Neither process adds a further key, not even the one that was not restarted yet.
    expect((await one.current()).vkey).to.equal(before.vkey);
    expect((await other.current()).vkey).to.equal(after.vkey);
    expect(await one.list()).to.have.lengthOf(2);
  });

  it('begin a new log under a name that no log had', async () => {
    const keys = noteKeys();
    const first = await keys.current();
    const next = await keys.beginLog();
    expect(next.name).to.match(/^one\.example\/audit-[0-9a-f]{12}$/);
    expect(next.log).not.to.equal(first.log);
    expect((await keys.list()).map(({ until }) => until)).to.deep.equal([next.from, null]);
    expect(verifyNote(next.introduction ?? '', [first.vkey])).to.contain(next.vkey);
    expect((await keys.rotate()).log).to.equal(next.log);
  });
});
