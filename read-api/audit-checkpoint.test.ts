import { expect } from 'chai';
import { pseudonymOf } from '../contracts/audit/pseudonym.ts';
import {
  verifyCheckpoint,
  verifyConsistency,
  verifyExport,
  type Consistency,
} from '../contracts/audit/verify.mjs';
import { aSession, destroyed, requested, sessionStream } from '../projections/testing/index.ts';
import { outcomeOf, startReadApi, type ReadApi } from './testing.ts';

describe('the signed head of an audit log', () => {
  let api: ReadApi;
  let account: Awaited<ReturnType<ReadApi['addAccount']>>;
  before(async () => {
    api = await startReadApi();
    api.project();
  });
  beforeEach(async () => {
    account = await api.addAccount();
    await aChange();
  });
  after(() => api.close());

  const aChange = () => {
    const id = aSession();
    return api.write(account.account, sessionStream(id), [requested(id, account.account), destroyed(id)]);
  };
  const get = (path: string) => api.call(`GET /v1/account/audit-log${path}`, { token: account.key.text });
  const vkeys = async () => (await api.noteKeys.list()).map(({ vkey }) => vkey);
  const checkpoint = async () => {
    const { status, json } = await get('/checkpoint');
    expect(status).to.equal(200);
    return json as { checkpoint: string; size: number; root: string; at: string };
  };
  /** Loses the last entries, as the restore of an older copy does. */
  const restored = (lost: number) =>
    api.postgres.pool.query(
      `delete from read_model.audit_log where account_id = $1 and sequence >
         (select max(sequence) from read_model.audit_log where account_id = $1) - $2::integer`,
      [account.account, lost],
    );

  it('covers an export, and names the account by a pseudonym that only its salt reveals', async () => {
    const signed = await checkpoint();
    const { origin, ...head } = verifyCheckpoint(signed.checkpoint, await vkeys());
    expect(head).to.deep.equal({ size: signed.size, root: signed.root });
    const pseudonym = pseudonymOf(account.account, await api.vault.salt(account.account));
    expect(origin).to.equal(`service.example/audit/${pseudonym}`);
    const { text } = await get('/export?format=jsonl');
    const entries = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
    expect(await verifyExport(entries, [head])).to.include({ ok: true, count: signed.size });
  });

  it('is the same again until there is another entry, and asking for it changes nothing', async () => {
    const end = await api.store.head();
    const first = await checkpoint();
    expect(await checkpoint()).to.deep.equal(first);
    expect(await api.store.head()).to.deep.equal(end);
    await aChange();
    const next = await checkpoint();
    expect(next.size).to.equal(first.size + 2);
    const { json } = await get(`/consistency?from=${first.size}&to=${next.size}`);
    expect(json).to.include({ from_root: first.root, to_root: next.root });
    expect(verifyConsistency(json as unknown as Consistency)).to.equal(true);
  });

  it('comes with an export', async () => {
    const { headers } = await get('/export?format=jsonl');
    const note = Buffer.from(String(headers['x-checkpoint']), 'base64').toString();
    expect(note).to.equal((await checkpoint()).checkpoint);
  });

  it('is one for each size, however many sign while the log grows', async () => {
    const roots = new Map<number, Set<string>>();
    const asking = Array.from({ length: 6 }, async () => {
      for (let times = 0; times < 5; times += 1) {
        const { size, root } = await api.signHead(account.account);
        roots.set(size, (roots.get(size) ?? new Set()).add(root));
      }
    });
    await Promise.all([...asking, aChange(), aChange()]);
    expect([...roots.values()].map(({ size }) => size)).to.deep.equal([...roots].map(() => 1));
  });

  it('is signed by the next key after a rotation, with the same head', async () => {
    const before = await checkpoint();
    const { vkey } = await api.noteKeys.rotate();
    const after = await checkpoint();
    expect(verifyCheckpoint(after.checkpoint, [vkey])).to.include({ size: before.size, root: before.root });
  });

  it('is refused where the log is shorter than what was signed, whatever it has grown to since', async () => {
    await checkpoint();
    await restored(1);
    expect(outcomeOf(await get('/checkpoint'))).to.equal('feature-unavailable');
    expect((await get('/export?format=jsonl')).headers).not.to.have.property('x-checkpoint');
    await aChange();
    expect(outcomeOf(await get('/checkpoint'))).to.equal('feature-unavailable');
  });

  it('goes on in a new log that an operator begins, whose notes name the old head', async () => {
    const old = await checkpoint();
    await restored(1);
    const { name, vkey } = await api.noteKeys.beginLog();
    const { checkpoint: note, size } = await checkpoint();
    expect(size).to.equal(old.size - 1);
    expect(verifyCheckpoint(note, [vkey]).origin).to.match(new RegExp(`^${name}/`));
    const [oldOrigin = ''] = old.checkpoint.split('\n');
    expect(note.split('\n')[3]).to.equal(`follows ${oldOrigin} ${old.size} ${old.root}`);
    await aChange();
    expect((await checkpoint()).checkpoint).to.contain(`\nfollows ${oldOrigin} ${old.size} `);
  });

  it('ends with the account: its pseudonym cannot be derived any more', async () => {
    await checkpoint();
    await api.vault.forget(account.account);
    const failure = await api.signHead(account.account).catch(String);
    expect(failure).to.contain('is erased');
  });
});
