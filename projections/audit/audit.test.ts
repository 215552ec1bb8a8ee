import { expect } from 'chai';
import { createHash } from 'node:crypto';
import {
  aKey,
  aSession,
  anAccount,
  at,
  by,
  destroyed,
  ready,
  requested,
  sessionStream,
  startReadSide,
  type ReadSide,
} from '../testing/index.ts';
import { exportAudit, rebuildProjection, verifyAudit } from '../index.ts';
import { treeHash } from '../../contracts/audit/testing.ts';
import { rootAt } from '../../contracts/audit/tree.ts';
import { treeRowsOf } from './tree.ts';
import { readAudit } from './reading.ts';
import { canonicalJson, genesis } from './entry.ts';
import type { AuditEntry } from '../../contracts/resources/account.ts';

describe('the audit log', () => {
  let side: ReadSide;
  const account = anAccount();
  const key = aKey();
  beforeEach(async () => {
    side = await startReadSide();
    side.project();
  });
  afterEach(() => side.close());

  const entries = async (): Promise<AuditEntry[]> => {
    await side.caughtUp();
    const all: AuditEntry[] = [];
    for await (const entry of readAudit(side.postgres.pool, account)) all.push(entry);
    return all;
  };
  const fiveSessions = async () => {
    for (let i = 0; i < 5; i += 1) {
      const id = aSession();
      await side.append(sessionStream(id), [requested(id, account), ready(id)], by(account, key));
    }
    await side.caughtUp();
  };
  const verify = () => verifyAudit(account, { pool: side.postgres.pool, store: side.store });

  it('has one entry for each acknowledged change, chained in the order of the log', async () => {
    const id = aSession();
    const claim = { sessionId: id, operation: 'navigate', dispatchId: 'd2', epoch: 1, at };
    const settled = { ...claim, outcome: 'succeeded', failureCategory: null, durationMs: 7 };
    await side.append(
      sessionStream(id),
      [
        requested(id, account),
        ready(id),
        { type: 'OperationClaimed', data: claim },
        { type: 'OperationSettled', data: settled },
        destroyed(id),
      ],
      by(account, key),
    );
    const log = await entries();
    expect(log.map(({ action }) => action)).to.deep.equal([
      'session.created',
      'session.navigated',
      'session.destroyed',
    ]);
    expect(log.map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3]);
    expect(log.map(({ prev_hash }) => prev_hash)).to.deep.equal([genesis, log[0]?.hash, log[1]?.hash]);
    expect(log[1]).to.deep.include({
      actor_type: 'api_key',
      actor_key_id: key,
      target: { type: 'session', id },
      payload: { outcome: 'succeeded', failure_category: null, duration_ms: 7 },
      ip: '127.0.0.1',
      user_agent: 'test',
      request_id: 'req_test0001',
    });
  });

  it('counts a key rotation once, though it writes two streams', async () => {
    const [old, successor] = [aKey(), aKey()];
    const record = {
      accountId: account,
      name: 'n',
      scopes: ['read'],
      prefix: 'p',
      last4: '1234',
      hash: 'h',
      expiresAt: null,
    };
    const create = (apiKeyId: string, rotatedFrom: string | null) => ({
      type: 'ApiKeyCreated',
      data: { apiKeyId, ...record, rotatedFrom, at },
    });
    await side.append(`api_key-${old.slice(4)}`, [create(old, null)], by(account, key));
    const rotated = { apiKeyId: old, successor: { apiKeyId: successor, ...record }, graceEndsAt: at, at };
    await side.append(
      `api_key-${old.slice(4)}`,
      [{ type: 'ApiKeyRotated', data: rotated }],
      by(account, key),
    );
    await side.append(`api_key-${successor.slice(4)}`, [create(successor, old)], by(account, key));
    expect((await entries()).map(({ action }) => action)).to.deep.equal([
      'api_key.created',
      'api_key.rotated',
    ]);
  });

  it('can be checked by anyone who has an export', async () => {
    await fiveSessions();
    let previous = genesis;
    for (const { hash, ...rest } of await entries()) {
      expect(rest.prev_hash).to.equal(previous);
      expect(createHash('sha256').update(canonicalJson(rest)).digest('hex')).to.equal(hash);
      previous = hash;
    }
  });

  it('is the RFC 6962 tree over the hashes of its entries, whatever their batches', async () => {
    for (let i = 0; i < 4; i += 1) await fiveSessions();
    const leaves = (await entries()).map(({ hash }) => Buffer.from(hash, 'hex'));
    const rows = treeRowsOf(side.postgres.pool, account);
    for (const [i] of leaves.entries())
      expect(await rootAt(rows, i + 1)).to.deep.equal(treeHash(leaves.slice(0, i + 1)));
    const subtrees = () => side.rows('select sequence, subtrees from read_model.audit_log order by sequence');
    const before = await subtrees();
    await rebuildProjection('audit_log', { pool: side.postgres.pool, store: side.store });
    expect(await subtrees()).to.deep.equal(before);
  });

  it('is verified if it was not tampered with', async () => {
    await fiveSessions();
    expect(await verify()).to.deep.equal({ ok: true, entries: 5 });
  });

  const tampering: [string, string, object][] = [
    ['a changed field', "update read_model.audit_log set ip = '6.6.6.6' where sequence = 3", { sequence: 3 }],
    ['a missing entry', 'delete from read_model.audit_log where sequence = 2', { sequence: 2, id: null }],
    ['an end cut off', 'delete from read_model.audit_log where sequence = 5', { sequence: 5, id: null }],
    [
      'entries that changed places',
      `update read_model.audit_log set sequence = 99 where sequence = 2;
       update read_model.audit_log set sequence = 2 where sequence = 3;
       update read_model.audit_log set sequence = 3 where sequence = 99`,
      { sequence: 2 },
    ],
    [
      'an entry without an event',
      `insert into read_model.audit_log select account_id, 6, gen_random_uuid()::text, action, actor_account_id, actor_key_id,
         actor_type, target_type, target_id, payload, ip, user_agent, request_id, created_at, hash, hash, '',
         commit_position, prepare_position from read_model.audit_log where sequence = 5`,
      { sequence: 6 },
    ],
  ];
  for (const [what, sql, entry] of tampering) {
    it(`finds the first broken entry: ${what}`, async () => {
      await fiveSessions();
      await side.rows(sql);
      const verdict = await verify();
      expect(verdict.ok).to.equal(false);
      if (!verdict.ok) expect(verdict.entry).to.include(entry);
    });
  }

  it('detects a chain that was rewritten with matching hashes', async () => {
    await fiveSessions();
    let previous = (await entries())[0]?.hash ?? '';
    for (const { hash: _hash, ...entry } of (await entries()).slice(1)) {
      const forged = { ...entry, ip: '6.6.6.6', prev_hash: previous };
      const hash = createHash('sha256').update(canonicalJson(forged)).digest('hex');
      await side.rows(
        'update read_model.audit_log set ip = $1, prev_hash = $2, hash = $3 where sequence = $4',
        ['6.6.6.6', previous, hash, entry.sequence],
      );
      previous = hash;
    }
    const verdict = await verify();
    expect(verdict).to.deep.include({ ok: false, entries: 1 });
    if (!verdict.ok) expect(verdict.reason).to.contain('rewritten');
  });

  it('is exported as lines of JSON, and as CSV in which no cell is a formula', async () => {
    const id = aSession();
    const evil = { ...by(account, key), user_agent: '=HYPERLINK("http://x")' };
    await side.append(sessionStream(id), [requested(id, account)], evil);
    const [entry] = await entries();
    const text = async (format: 'csv' | 'jsonl') => {
      let all = '';
      for await (const piece of exportAudit(account, { pool: side.postgres.pool, format })) all += piece;
      return all;
    };
    expect(JSON.parse(await text('jsonl'))).to.deep.equal(entry);
    expect(await text('csv')).to.contain(`,"'=HYPERLINK(""http://x"")",`);
  });
});
