import { expect } from 'chai';
import type { Actor } from '../contracts/events/metadata.ts';
import { gate, until } from '../infra/verification/testbed/index.ts';
import {
  aSession,
  anAccount,
  by,
  destroyed,
  ready,
  requested,
  sessionStream,
} from '../projections/testing/index.ts';
import { auditLogReads } from './audit-log.ts';
import { dataOf, startReadApi } from './testing.ts';

describe('pages of the audit log with a filter', () => {
  it('are read a few at once, fewer of one account, and keep none without a filter waiting', async () => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const page = async ({ caller }: { readonly caller: { readonly accountId: string } }) => {
      begun.push(caller.accountId);
      const over = gate();
      ends.push(over.open);
      await over.pass();
    };
    type Reads = Parameters<typeof auditLogReads>[0];
    const { run } = auditLogReads({ page } as unknown as Reads)['audit-log.list'];
    const read = (accountId: string, query: object) =>
      run({ caller: { accountId }, query } as unknown as Parameters<typeof run>[0]);
    const filtered = ['large', 'large', 'large', 'other'].map((account) => read(account, { action: 'rare' }));
    await until(() => begun.length === 3);
    const whole = read('third', {});
    expect(begun).to.deep.equal(['large', 'large', 'other', 'third']);
    ends[2]?.();
    await until(() => begun.length === 4);
    ends[0]?.();
    await until(() => begun.length === 5);
    expect(begun[4]).to.equal('large');
    ends.forEach((end) => end());
    await Promise.all([...filtered, whole]);
  });
});

describe('the audit log of a team', () => {
  it('has by the id of an account what that one did, in its own account or in another one', async () => {
    const api = await startReadApi();
    try {
      api.project();
      const { account: owner, key } = await api.addAccount();
      const [member, session] = [anAccount(), aSession()];
      const append = async (
        about: Omit<Actor, 'account_id'>,
        ...events: Parameters<typeof api.append>[1]
      ) => {
        const actor = { ...about, account_id: owner };
        return api.append(sessionStream(session), events, { ...by(owner), actor });
      };
      await append({ kind: 'user', actor_account_id: member }, requested(session, owner), ready(session));
      const { commit, prepare } = await append({ kind: 'system' }, destroyed(session));
      const headers = { 'X-Service-Min-Position': `${commit}/${prepare}` };
      const actions = async (actor: string) =>
        dataOf(await api.call(`GET /v1/account/audit-log?actor=${actor}`, { token: key.text, headers })).map(
          ({ action }) => action,
        );
      expect(await actions(owner)).to.deep.equal(['api_key.created', 'account.created']);
      expect(await actions(member)).to.deep.equal(['session.created']);
      expect(await actions('system')).to.deep.equal(['session.destroyed']);
      const exported = async (actor: string) => {
        const path = `/v1/account/audit-log/export?format=jsonl&actor=${actor}`;
        const { text } = await api.call(`GET ${path}`, { token: key.text, headers });
        const lines = text.split('\n').filter((line) => line !== '');
        return lines.map((line) => (JSON.parse(line) as { readonly action: string }).action);
      };
      expect(await exported(owner)).to.deep.equal(['account.created', 'api_key.created']);
      expect(await exported(member)).to.deep.equal(['session.created']);
      expect(await exported('system')).to.deep.equal(['session.destroyed']);
    } finally {
      await api.close();
    }
  });
});
