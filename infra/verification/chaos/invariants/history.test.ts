import { expect } from 'chai';
import { base64, treeHash } from '../../../../contracts/audit/testing.ts';
import type { Evidence, LogEvent } from '../evidence/index.ts';
import { answersAreKept } from './answers.ts';
import type { Invariant } from './invariant.ts';
import { causesAreInTheLog } from './n22-causes.ts';
import { placed } from '../evidence/pasts.ts';
import { pastsAreAnswers } from './n23-pasts.ts';
import { notesAgree } from './n24-notes.ts';
import { changesAreSigned } from './n25-signed-changes.ts';
import { account, created, done, event, sessionId, soundEvidence } from './testing/index.ts';

const found = ({ violations }: Invariant, evidence: Partial<Evidence>): string =>
  violations(soundEvidence(evidence))
    .map(({ what }) => what)
    .join('; ');

describe('the invariant of answers, in a run of an hour', () => {
  it('lets an access token expire after its fifteen minutes, and not before', () => {
    const signIn = done('sign-in', 'sign-in', { sentAt: 0, answeredAt: 10 });
    const expired = (answeredAt: number) =>
      done('x', 'get', {
        ...{ session: 'sign-in', sentAt: answeredAt, answeredAt },
        ...{ status: 401, text: '{"type":"https://x/expired-key"}' },
      });
    const judged = (answeredAt: number) => found(answersAreKept, { history: [signIn, expired(answeredAt)] });
    expect(judged(800_000)).to.contain('with a good key');
    expect(judged(900_000)).to.equal('');
  });
});

describe('the invariants of causes and pasts', () => {
  const root = event('SessionRequested');
  const { correlation_id } = root.metadata;
  const following = (changes: Partial<LogEvent['metadata']> = {}): LogEvent =>
    event('SessionReady', {
      metadata: { correlation_id, causation_id: root.id, by: 'reaction:session-ends', ...changes },
    });

  it('N22 sees a cause that is missing, late or of another root, and a reaction that is a root', () => {
    expect(found(causesAreInTheLog, { log: [root, following()] })).to.equal('');
    expect(found(causesAreInTheLog, { log: [following(), root] })).to.contain('follows from');
    for (const wrong of [
      { causation_id: 'nothing' },
      { correlation_id: 'another root' },
      { causation_id: correlation_id },
    ])
      expect(found(causesAreInTheLog, { log: [root, following(wrong)] })).to.contain('reaction:session-ends');
  });

  it('N23 sees a past that differs, and one that is not found', () => {
    const answer = done('get', 'get', { text: JSON.stringify({ id: sessionId, status: 'ready' }) });
    const judged = (text: string, status = 200) =>
      found(pastsAreAnswers, { pasts: [{ answer, past: done('past', 'as-of', { text, status }) }] });
    expect(judged(JSON.stringify({ status: 'ready', id: sessionId }))).to.equal('');
    expect(judged(JSON.stringify({ id: sessionId, status: 'busy' }))).to.contain('busy');
    expect(judged('{"title":"Not found"}', 404)).to.contain('Not found');
  });

  it('N23 covers what creates a session or a profile, but no repeated or stale answers', () => {
    const text = JSON.stringify({ id: sessionId });
    const answer = (action: string, more: Readonly<Record<string, string>> = {}) =>
      done('a', action, {
        answer: { kind: 'done', status: 201, headers: { 'x-service-position': '7/7', ...more }, text },
      });
    for (const action of ['create', 'launch'])
      expect(placed(answer(action)).map(({ path }) => path)).to.deep.equal([`/v1/sessions/${sessionId}`]);
    expect(placed(answer('create-profile')).map(({ path }) => path)).to.deep.equal([
      `/v1/profiles/${sessionId}`,
    ]);
    for (const header of ['idempotency-replayed', 'x-service-stale'])
      expect(placed(answer('create', { [header]: 'true' }))).to.deep.equal([]);
  });

  describe('of signed notes', () => {
    const hashes = ['01', '02', '03'].map((byte) => byte.repeat(32));
    const auditLog = hashes.map((hash, index) => ({
      account_id: account,
      sequence: index + 1,
      hash,
      request_id: index === 2 ? 'create' : null,
      action: 'session.created',
    }));
    const tables = { ...soundEvidence().tables, auditLog };
    const rootOf = (size: number) =>
      base64(treeHash(hashes.slice(0, size).map((hash) => Buffer.from(hash, 'hex'))));
    const origin = 'service.example/audit';
    const noteOf = (size: number, root = rootOf(size), name = `${origin}/someone`) =>
      `${name}\n${size}\n${root}\n\n\u2014 ${name} AAAAAAAAAA==\n`;
    const signed = (size: number, note = noteOf(size), changes: Partial<LogEvent> = {}) =>
      event('AuditHeadSigned', { stream: 'audit_head-1', data: { size, note }, ...changes });
    const asked = (note: string) =>
      done('asked', 'ask-for-head', { text: JSON.stringify({ checkpoint: note }) });

    it('N24 sees two different notes of one size, and one whose entries differ or exceed the log', () => {
      const judged = (note: string, log = [signed(2)]) =>
        found(notesAgree, { tables, log, history: [asked(note)] });
      for (const size of [1, 2, 3]) expect(judged(noteOf(size))).to.equal('');
      expect(judged(noteOf(2, rootOf(1)))).to.contain('two notes');
      expect(judged(noteOf(1, rootOf(2)))).to.contain('not of the first 1');
      expect(judged(noteOf(4, rootOf(3)))).to.contain('not of the first 4');
      expect(judged(noteOf(3), [signed(2, noteOf(2, rootOf(3)))])).to.contain('not of the first 2');
    });

    it('N24 covers public notes', () => {
      const leaf = { accountId: account, pseudonym: 'p'.repeat(43), size: 3, root: rootOf(3) };
      const root = base64(treeHash([Buffer.from(`${leaf.pseudonym}\n3\n${leaf.root}\n`)]));
      const log = [event('HeadsAnchored', { stream: 'public_tree-1', data: { first: 0, leaves: [leaf] } })];
      const judged = (note: string) =>
        found(notesAgree, { log, history: [done('read', 'read-public-head', { text: note })] });
      expect(judged(noteOf(1, root, origin))).to.equal('');
      expect(judged(noteOf(1, rootOf(1), origin))).to.contain('not of the first 1');
      const recorded = event('PublicHeadSigned', { data: { note: noteOf(1, rootOf(2), origin) } });
      expect(found(notesAgree, { log: [...log, recorded] })).to.contain('not of the first 1');
    });

    it('N25 sees an acknowledged change that no note covers within ten minutes', () => {
      const change = event('SessionRequested', { requestId: 'create' });
      const judged = (...log: readonly LogEvent[]) =>
        found(changesAreSigned, { tables, history: [created()], log: [change, ...log] });
      const after = (ms: number) => ({ created: change.created + ms });
      expect(judged(signed(3, noteOf(3), after(600_000)))).to.equal('');
      expect(judged(signed(2))).to.contain('not');
      expect(judged(signed(3, noteOf(3), { data: { accountId: 'acc_other', size: 3 } }))).to.contain('not');
      expect(judged(signed(3, noteOf(3), after(600_001)))).to.contain('600001 ms after it');
    });
  });
});
