import { expect } from 'chai';
import { auditEntryOf, emptyChain } from '../../../../projections/audit/entry.ts';
import type { RecordedEvent } from '../../../event-store/client/types.ts';
import type { Evidence, Row } from '../evidence/index.ts';
import { answersAreKept, readsAreFresh } from './answers.ts';
import {
  account,
  created,
  done,
  event,
  inOrder,
  lives,
  reserved,
  sampleOf,
  sessionId,
  slots,
  soundEvidence,
} from './testing/index.ts';
import type { Invariant } from './invariant.ts';
import { acknowledgedIsStored } from './n1-acknowledged.ts';
import { canariesStayHidden } from './n10-canaries.ts';
import { readModelsAreFolds } from './n3-read-models.ts';
import { checkpointsFollow } from './n4-checkpoints.ts';
import { timersFire } from './n5-timers.ts';
import { oneOperation } from './n6-one-operation.ts';
import { auditIsWhole } from './n7-audit.ts';
import { slotsAreSessions } from './n8-slots.ts';
import { onlyInjectedEnds } from './n9-processes.ts';
import { invariants } from './table.ts';

const found = ({ violations }: Invariant, evidence: Partial<Evidence>): string =>
  violations(soundEvidence(evidence))
    .map(({ what }) => what)
    .join('; ');
const tables = (changes: Partial<Evidence['tables']>) => ({
  tables: { ...soundEvidence().tables, ...changes },
});
const claimed = (dispatchId: string) => event('OperationClaimed', { requestId: 'op', data: { dispatchId } });

describe('the invariants of a chaos run', () => {
  it('find nothing in a faultless run, except the audit row that the fixture leaves out', () => {
    for (const invariant of invariants.filter(({ id }) => id !== 'N7'))
      expect(found(invariant, {}), invariant.id).to.equal('');
  });

  describe('N1', () => {
    it('sees a missing acknowledged event, and one that exists only under another request', () => {
      const log = lives().filter(({ type }) => type !== 'SessionReady');
      expect(found(acknowledgedIsStored, { log })).to.equal('an acknowledged create left no SessionReady');
      expect(found(acknowledgedIsStored, { log: [] })).to.contain('made is not in the log');
      const destroyed = [done('end', 'destroy', { status: 204 })];
      expect(found(acknowledgedIsStored, { history: destroyed })).to.contain('without its end');
    });

    it('sees an event twice, a gap and a wrong order', () => {
      const log = lives();
      const [first] = log;
      expect(found(acknowledgedIsStored, { log: [...log, ...(first ? [first] : [])] })).to.contain(
        'in the log twice',
      );
      const gap = log.map((each) => (each.type === 'SessionReady' ? { ...each, revision: 2 } : each));
      expect(found(acknowledgedIsStored, { log: gap })).to.equal('revision 2 follows 0');
      expect(found(acknowledgedIsStored, { log: log.toReversed() })).to.contain('position');
    });

    it('sees a request that took effect twice, and a refused one that took effect', () => {
      const twice = inOrder(claimed('a'), event('OperationSettled'), claimed('b'));
      expect(
        found(acknowledgedIsStored, {
          log: twice,
          history: [{ ...created(), id: 'op', action: 'operate', answer: { kind: 'unknown', why: '' } }],
        }),
      ).to.contain('one operate left 2');
      expect(
        found(acknowledgedIsStored, { history: [done('create', 'create', { status: 429 })] }),
      ).to.contain('a refused create (429) left SessionReady');
    });

    it('lets a request release the reservations of earlier requests, and its own, once each', () => {
      const places = { SlotReleased: 'sessionId', ApiKeyDismissed: 'apiKeyId' } as const;
      const history = [done('retry', 'create', { status: 503 })];
      for (const type of ['SlotReleased', 'ApiKeyDismissed'] as const) {
        const given = (of: string) => event(type, { requestId: 'retry', data: { [places[type]]: of } });
        const judged = (before: string) =>
          found(acknowledgedIsStored, { log: inOrder(given(before), given('own')), history });
        expect(judged('own')).to.contain(`one create left 2 ${type}`);
        expect(judged('before')).to.equal('');
      }
    });

    it('sees a session that is not what its request asked for', () => {
      const asked = { ...created(), body: { label: 'mine', metadata: { lane: 1 } } };
      expect(found(acknowledgedIsStored, { history: [asked] })).to.contain('not what its request asked for');
    });

    it('sees one idempotency key with two sessions, or two answers', () => {
      const log = lives();
      const said = { label: null, metadata: {} };
      const second = event('SessionRequested', { stream: 'session-other', requestId: 'again', data: said });
      const again = { ...created(), id: 'again', key: 'k', answer: { kind: 'unknown', why: '' } as const };
      const first = { ...created(), key: 'k' };
      expect(found(acknowledgedIsStored, { log: [...log, second], history: [first, again] })).to.equal(
        'one idempotency key left 2 SessionRequested',
      );
      const replayed = {
        kind: 'done',
        status: 201,
        headers: { 'idempotency-replayed': 'true' },
        text: `{"id":"${sessionId}"}`,
      } as const;
      expect(found(acknowledgedIsStored, { history: [first, { ...again, answer: replayed }] })).to.equal(
        'one idempotency key got 2 answers',
      );
    });
  });

  it('N3 sees a table that differs after a rebuild, a row that differs from its log, and parked events', () => {
    const rebuilds = [{ projection: 'sessions', matches: false, detail: 'differs' }];
    expect(found(readModelsAreFolds, { rebuilds })).to.contain('sessions is not what the log says');
    expect(found(readModelsAreFolds, tables({ sessions: [{ id: sessionId, status: 'busy' }] }))).to.equal(
      'the row says busy, the log ready',
    );
    expect(found(readModelsAreFolds, tables({ sessions: [] }))).to.equal(
      'the row says nothing, the log ready',
    );
    expect(found(readModelsAreFolds, tables({ parkedReactions: [{ process: 'x' }] }))).to.contain('parked');
  });

  it('N4 sees a checkpoint that moves back, runs ahead of the rows, or never reaches the end', () => {
    const log = lives();
    const [end, early] = [sampleOf(log), sampleOf([])];
    expect(found(checkpointsFollow, { log, samples: [end, early, end] })).to.contain('moved back to -1');
    expect(found(checkpointsFollow, { log, samples: [{ ...end, sessions: 0 }, end] })).to.contain(
      'there were 0 rows of sessions, not 1',
    );
    expect(found(checkpointsFollow, { log, samples: [{ ...end, processes: 0n }] })).to.contain(
      'the checkpoint of processes is at 0',
    );
    expect(found(checkpointsFollow, { log, samples: [] })).to.contain('readModels is at -1');
  });

  it('N5 sees a timer that fired early and one that never did', () => {
    const free = (...more: ReturnType<typeof inOrder>) =>
      inOrder(
        event('SessionRequested', {
          data: { expiresAt: '2026-01-05T12:20:00.000Z', leaseExpiresAt: '2026-01-05T12:01:00.000Z' },
        }),
        ...more,
      );
    expect(
      found(timersFire, { log: free(event('SessionDestroyed', { data: { cause: 'duration_cap' } })) }),
    ).to.contain('fired early');
    expect(
      found(timersFire, { log: free(event('SessionErrored', { data: { reason: 'lease_expired' } })) }),
    ).to.contain('fired early');
    expect(found(timersFire, { log: free(event('SessionReady')) })).to.contain('past its duration cap');
    const lifted = free(event('SessionReady'), event('DurationCapLifted'));
    expect(found(timersFire, { log: lifted })).not.to.contain('past its duration cap');
    expect(found(timersFire, { log: free() })).to.contain('past its lease');
    expect(found(timersFire, tables({ timers: [{ id: 'slot_lease-x', overdue: true }] }))).to.contain(
      'did not fire',
    );
  });

  it('N6 sees two operations at once, a repeated dispatch, and one without a claim', () => {
    expect(found(oneOperation, { log: lives(claimed('a'), claimed('b')) })).to.equal(
      'OperationClaimed came while it was busy',
    );
    const line = { action: 'operate', session_id: sessionId, dispatch_id: 'a' };
    expect(found(oneOperation, { log: lives(claimed('a')), driver: [line, line] })).to.contain(
      'reached the driver 2 times',
    );
    expect(found(oneOperation, { driver: [line] })).to.contain('without a claim');
    expect(
      found(oneOperation, { log: lives(claimed('a')), driver: [{ ...line, session_id: 'ses_other' }] }),
    ).to.contain('without a claim');
  });

  it('N7 sees a mutation without its row or with two, a disabled endpoint without one, and a chain that was tampered with', () => {
    expect(found(auditIsWhole, {})).to.equal('an acknowledged create has 0 audit rows');
    const disabled = event('WebhookDisabled', { data: { webhookId: 'whk_x' } });
    expect(found(auditIsWhole, { history: [], log: [disabled] })).to.contain('has 0 audit rows of it');
    const row = auditRow();
    expect(found(auditIsWhole, tables({ auditLog: [row] }))).to.equal('');
    expect(found(auditIsWhole, tables({ auditLog: [row, { ...row, sequence: 2 }] }))).to.contain(
      'has 2 audit rows',
    );
    expect(found(auditIsWhole, tables({ auditLog: [{ ...row, target_id: 'another' }] }))).to.contain(
      'broken at entry 1',
    );
    expect(found(auditIsWhole, tables({ auditLog: [{ ...row, sequence: 2 }] }))).to.contain(
      'broken at entry 2',
    );
  });

  it('N8 sees a slot without a session, a session without a slot, too many slots, and the release of a slot that was not held', () => {
    expect(found(slotsAreSessions, { log: lives(event('SessionDestroyed')) })).to.equal(
      'it has a slot but does not live',
    );
    expect(found(slotsAreSessions, { log: lives().filter(({ type }) => type !== 'SlotReserved') })).to.equal(
      'it lives without a slot',
    );
    const second = { ...reserved(), data: { sessionId: 'ses_other', accountId: account } };
    expect(found(slotsAreSessions, { log: [...lives(), second] })).to.contain('2 slots are held of 1');
    const released = event('SlotReleased', { stream: slots, data: { sessionId: 'ses_other' } });
    expect(found(slotsAreSessions, { log: [...lives(), released] })).to.contain('did not hold');
  });

  it('N9 sees an uninjected crash, an error before exit, a bad exit status and a process that still runs', () => {
    const crash = { process: 'worker', how: 'SIGKILL' };
    expect(found(onlyInjectedEnds, { ends: [crash], kills: ['worker'] })).to.equal('');
    expect(found(onlyInjectedEnds, { ends: [crash, crash], kills: ['worker'] })).to.contain(
      'ended by itself',
    );
    expect(
      found(onlyInjectedEnds, { ends: [{ process: 'worker', how: 'exit status 1' }], kills: ['worker'] }),
    ).to.contain('exit status 1');
    expect(found(onlyInjectedEnds, { processLogs: { worker: ['{"level":"fatal"}'] } })).to.contain(
      'worker said',
    );
    expect(found(onlyInjectedEnds, { exitStatus: 1 })).to.contain('status 1');
    expect(found(onlyInjectedEnds, { leftovers: ['node (7)'] })).to.contain('left behind');
  });

  it('N10 sees a planted secret in any place except the answer that was to show it', () => {
    const secret = 'before canary-1 after';
    expect(found(canariesStayHidden, { stored: { 'the table x': [secret] } })).to.contain(
      'is in the table x',
    );
    expect(found(canariesStayHidden, { processLogs: { node: [secret] } })).to.contain(
      'is in the log of node',
    );
    expect(found(canariesStayHidden, { history: [done('read', 'get', { text: secret })] })).to.contain(
      'is in a reply',
    );
    expect(found(canariesStayHidden, { history: [done('key', 'create-key', { text: secret })] })).to.equal(
      '',
    );
  });

  it('check answers against the contract: no 500, no valid key refused, no invalid one accepted, every client served', () => {
    const answered = (status: number, action = 'get') =>
      found(answersAreKept, { history: [done('x', action, { status })] });
    expect(answered(200)).to.equal('');
    expect(answered(500)).to.contain('was answered 500');
    expect(answered(401)).to.contain('with a good key');
    const unheardOf = done('x', 'get', { status: 401, text: '{"type":"https://x/invalid-key"}' });
    const faults = [{ name: 'stop postgres', from: 500, to: 1_050 }];
    expect(found(answersAreKept, { history: [unheardOf] })).to.contain('with a good key');
    expect(found(answersAreKept, { history: [unheardOf], faults })).to.contain('with a good key');
    expect(answered(401, 'try-revoked')).to.equal('');
    expect(answered(200, 'try-revoked')).to.contain('was let in');
    expect(found(answersAreKept, { unserved: ['someone could not'] })).to.equal('someone could not');
  });

  it('see a read that lacks an earlier write, unless it is marked as stale', () => {
    const read = (changes: object) =>
      done('get', 'get', {
        target: `GET /v1/sessions/${sessionId}`,
        sentAt: 1_200,
        answeredAt: 1_300,
        ...changes,
      });
    const missing = read({ status: 404 });
    expect(found(readsAreFresh, { history: [created(), missing] })).to.contain('does not show a create');
    expect(found(readsAreFresh, { history: [created(), { ...missing, sentAt: 1_050 }] })).to.equal('');
    expect(
      found(readsAreFresh, {
        history: [created(), missing],
        faults: [{ name: 'crash postgres', from: 900, to: 1_250 }],
      }),
    ).to.equal('');
    const ended = done('end', 'destroy', { status: 204, target: `DELETE /v1/sessions/${sessionId}` });
    const live = read({ text: '{"status":"ready"}' });
    expect(found(readsAreFresh, { history: [ended, live] })).to.contain('does not show a destroy');
    const stale = { ...live, answer: { ...live.answer, headers: { 'x-service-stale': 'true' } } };
    expect(found(readsAreFresh, { history: [ended, stale] })).to.equal('');
  });
});

/** The audit row of the fixture's create. */
function auditRow(): Row {
  const data = { sessionId, archetype: 'iphone', label: null };
  const actor = { kind: 'api_key', account_id: account };
  const metadata = { actor, request_id: 'create', occurred_at: '2026-01-05T12:00:00.000Z' };
  const recorded = { id: '00000000-0000-4000-8000-0000000000ff', type: 'SessionRequested', data, metadata };
  const entry = auditEntryOf(recorded as unknown as RecordedEvent, emptyChain);
  if (entry === undefined) throw new Error('The event has no entry.');
  const { target, ...rest } = entry;
  return {
    actor_account_id: null,
    actor_key_id: null,
    ...rest,
    target_type: target.type,
    target_id: target.id,
  };
}
