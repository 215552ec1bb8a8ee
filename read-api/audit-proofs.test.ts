import { expect } from 'chai';
import {
  verifyConsistency,
  verifyInclusion,
  type Consistency,
  type Inclusion,
} from '../contracts/audit/verify.mjs';
import { aSession, destroyed, requested, sessionStream } from '../projections/testing/index.ts';
import { outcomeOf, startReadApi, type ReadApi } from './testing.ts';

describe('proofs of the audit log', () => {
  let api: ReadApi;
  let account: Awaited<ReturnType<ReadApi['addAccount']>>;
  let count: number;

  before(async () => {
    api = await startReadApi();
    api.project();
    account = await api.addAccount();
    for (let sessions = 0; sessions < 6; sessions += 1) await aChange();
    const { json } = await get('audit-log?limit=1');
    count = Number((json.data as { sequence: number }[])[0]?.sequence);
  });
  after(() => api.close());

  const aChange = async () => {
    const id = aSession();
    const events = [requested(id, account.account), destroyed(id)];
    await api.write(account.account, sessionStream(id), events, account.key.id);
  };
  const get = (path: string, token = account.key.text) => api.call(`GET /v1/account/${path}`, { token });

  it('publish the keys that heads are signed with', async () => {
    const { vkey, from } = await api.noteKeys.current();
    const { json } = await api.call('GET /.well-known/audit-log/keys');
    expect(json).to.deep.equal({ keys: [{ vkey, from, until: null, introduction: null }] });
  });

  it('prove every entry, of the log as it is and as it was', async () => {
    const entries = (await get('audit-log')).json.data as { sequence: number; hash: string }[];
    for (const size of [undefined, count - 1, 7])
      for (const { sequence } of entries.filter((entry) => entry.sequence <= (size ?? count))) {
        const of = size === undefined ? '' : `?size=${size}`;
        const { json } = await get(`audit-log/${sequence}/proof${of}`);
        expect(json).to.include({ sequence, leaf_index: sequence - 1, size: size ?? count });
        expect(verifyInclusion(json as unknown as Inclusion), `${sequence} of ${size}`).to.equal(true);
      }
  });

  it('prove that a log begins with what it was, and give the same again whatever comes after', async () => {
    for (let from = 1; from <= count; from += 1) {
      const { json } = await get(`audit-log/consistency?from=${from}`);
      expect(json).to.include({ from, to: count });
      expect(verifyConsistency(json as unknown as Consistency), String(from)).to.equal(true);
    }
    const asked = `audit-log/consistency?from=3&to=${count}`;
    const before = (await get(asked)).json;
    await aChange();
    expect((await get(asked)).json).to.deep.equal(before);
    expect((await get('audit-log/consistency?from=3')).json).to.include({ to: count + 2 });
    count += 2;
  });

  it('are of the caller’s own log alone', async () => {
    const other = await api.addAccount('other@example.com');
    const { json } = await get('audit-log/1/proof', other.key.text);
    expect(json.size).to.be.below(count);
    const root = (await get(`audit-log/1/proof?size=${String(json.size)}`)).json.root;
    expect(json.root).not.to.equal(root);
    expect(outcomeOf(await get(`audit-log/${count}/proof`, other.key.text))).to.equal('not-found');
  });

  it('say what is wrong with a sequence or a size', async () => {
    for (const sequence of ['0', '-1', '1.5', 'one', String(count + 1), '99999999999'])
      for (const query of ['', '?size=x'])
        expect(outcomeOf(await get(`audit-log/${sequence}/proof${query}`)), sequence).to.equal('not-found');
    const sizes = {
      'audit-log/1/proof': ['size=0', `size=${count + 1}`, 'size=all', 'size=-1', 'size=1.5', 'size='],
      'audit-log/5/proof': ['size=4'],
      'audit-log/consistency': [
        'from=0',
        'from=5&to=4',
        `from=1&to=${count + 1}`,
        'from=1&to=0',
        '',
        'from=x',
      ],
    };
    for (const [path, queries] of Object.entries(sizes))
      for (const query of queries) {
        const answer = await get(`${path}?${query}`);
        expect(outcomeOf(answer), query).to.equal('validation-failed');
        expect(JSON.stringify(answer.json.errors), query).to.match(/\/query\/(size|from|to)/);
      }
  });
});
