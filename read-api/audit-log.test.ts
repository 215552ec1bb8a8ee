import { expect } from 'chai';
import pg from 'pg';
import type { Actor } from '../contracts/events/metadata.ts';
import type { AccountId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
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
import { auditExport } from './audit-export.ts';
import { auditLogReads } from './audit-log.ts';
import { createAuditTurns, type AuditTurns } from './audit-turns.ts';
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
    const inTurn = createAuditTurns();
    const { run } = auditLogReads({ page } as unknown as Reads, inTurn)['audit-log.list'];
    const read = (accountId: string, query: object) =>
      run({ caller: { accountId }, query } as unknown as Parameters<typeof run>[0]);
    const exported = inTurn('large' as AccountId, { since: new Date() }, () =>
      page({ caller: { accountId: 'large' } }),
    );
    const filtered = ['large', 'large', 'other'].map((account) => read(account, { action: 'rare' }));
    await until(() => begun.length === 3);
    const whole = read('third', {});
    expect(begun).to.deep.equal(['large', 'large', 'other', 'third']);
    ends[2]?.();
    await until(() => begun.length === 4);
    ends[0]?.();
    await until(() => begun.length === 5);
    expect(begun[4]).to.equal('large');
    ends.forEach((end) => end());
    await Promise.all([exported, ...filtered, whole]);
  });

  it('are those of exports, too, one turn for each page', async () => {
    const held: string[] = [];
    const turns: AuditTurns = (accountId, _filter, read) => {
      held.push(accountId);
      return read();
    };
    const rows = Array.from({ length: 500 }, (_, n) => ({ sequence: n + 1 }));
    const query = async ({ values }: { readonly values: readonly unknown[] }) => ({
      rows: values[1] === 0 ? rows : [],
    });
    type Ports = Parameters<typeof auditExport>;
    const reading = [async () => ({ stale: false, freshness: {} }), { decode: () => undefined }] as unknown;
    const [read, cursors] = reading as [Ports[1], Ports[2]];
    const sources = { pool: { query }, turns } as unknown as Ports[0];
    const { run } = auditExport(sources, read, cursors, () => Promise.reject(refuse('not-found')))[
      'audit-log.export'
    ];
    const call = { caller: { accountId: 'large' }, query: { action: 'rare', format: 'jsonl' } };
    const { body, headers } = await run(call as unknown as Parameters<typeof run>[0]);
    expect([headers['X-Row-Count'], held]).to.deep.equal(['500', ['large', 'large']]);
    await body.toArray();
    expect(held).to.have.length(3);
  });

  it('are to be narrowed if they take too long, unless they are looked for by time alone', async () => {
    const late = Object.assign(new pg.DatabaseError('late', 0, 'error'), { code: '57014' });
    const inTurn = createAuditTurns();
    const refusal = (filter: object, error: Error = late) =>
      inTurn('large' as AccountId, filter, () => Promise.reject(error)).catch((thrown: unknown) => thrown);
    for (const filter of [{ action: 'rare' }, { actor: 'key', since: new Date() }])
      expect(await refusal(filter)).to.include({ slug: 'bad-request' });
    for (const filter of [{}, { action: null, since: new Date() }])
      expect(await refusal(filter)).to.equal(late);
    const other = new Error('another');
    expect(await refusal({ action: 'rare' }, other)).to.equal(other);
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
