import { expect } from 'chai';
import type { LogEvent } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import { profilesKeepWhatWasSaved } from './n16-profiles.ts';
import { done, event, inOrder, soundEvidence } from './testing/index.ts';

const uuid = '00000000-0000-4000-8000-0000000000c1';
const profileId = `prof_${uuid}`;
const [first, second] = ['1', '2'].map((digit) => `ses_00000000-0000-4000-8000-00000000000${digit}`) as [
  string,
  string,
];
const url = `http://sim.test/counter?for=${profileId}`;

const of = (type: string, sessionId: string, data: LogEvent['data'] = {}): LogEvent =>
  event(type, { stream: `profile-${uuid}`, data: { sessionId, ...data } });
const bound = (session: string, generation: number | null): LogEvent =>
  of('ProfileBound', session, { generation });
const saving = (session: string): LogEvent => of('StateSaveStarted', session);
const saved = (session: string, generation: number): LogEvent =>
  of('StateSaved', session, { state: { generation } });
const failed = (session: string): LogEvent => of('StateSaveFailed', session);

const visit = (session: string, changes: Partial<Exchange> = {}): Exchange =>
  done('visit', 'operate', { target: `POST /v1/sessions/${session}/navigate`, body: { url }, ...changes });
const lost = (session: string): Exchange => visit(session, { answer: { kind: 'unknown', why: '' } });
const read = (session: string, count: number | undefined, owner = profileId): Exchange =>
  done('read', 'operate', {
    target: `GET /v1/sessions/${session}/state`,
    text: JSON.stringify({ local_storage: count === undefined ? {} : { count: String(count), for: owner } }),
  });

const found = (events: readonly LogEvent[], history: readonly Exchange[] = []): string =>
  profilesKeepWhatWasSaved
    .violations(soundEvidence({ log: inOrder(...events), history }))
    .map(({ what }) => what)
    .join('; ');

/** The first session visited the page once and was saved; the second has the profile since. */
const savedOnce = [
  bound(first, null),
  saving(first),
  saved(first, 1),
  bound(second, 1),
  of('ProfileReleased', second),
];
const visitedOnce = [visit(first), read(first, 1)];

describe('N16, about profiles', () => {
  it('accepts launches that each continue from the previous state', () => {
    expect(found(savedOnce, [...visitedOnce, visit(second), read(second, 2)])).to.equal('');
  });

  it('sees a counter that went back, vanished, or ran ahead', () => {
    for (const [count, shown] of [
      [1, 1],
      [undefined, 0],
      [3, 3],
    ] as const)
      expect(found(savedOnce, [...visitedOnce, visit(second), read(second, count)])).to.contain(
        `${second} shows ${shown} visits of 2 to 2`,
      );
  });

  it('allows either count for a visit without an answer, until the counter is read', () => {
    const both = (count: number) =>
      found(savedOnce, [visit(first), lost(first), visit(second), read(second, count)]);
    expect([both(2), both(3)]).to.deep.equal(['', '']);
    expect(both(4)).to.contain('shows 4 visits of 2 to 3');
    const settled = [visit(first), lost(first), read(first, 1), visit(second), read(second, 3)];
    expect(found(savedOnce, settled)).to.contain('shows 3 visits of 2 to 2');
  });

  it('sees the state of another profile', () => {
    const strangers = [visit(first), read(first, 1, 'prof_other')];
    expect(found(savedOnce, strangers)).to.contain('shows what is of prof_other');
  });

  it('does not count visits of a session whose save failed, or that saved nothing', () => {
    const history = [...visitedOnce, visit(second), read(second, 1)];
    const ends = [[saving(first), failed(first)], [of('ProfileReleased', first)]];
    for (const end of ends) {
      const log = [bound(first, null), ...end, bound(second, null), of('ProfileReleased', second)];
      expect(found(log, history)).to.equal('');
    }
  });

  it('keeps the count through a trim', () => {
    const trimmed = of('ProfileTrimmed', '', { state: { generation: 2 } });
    const log = [
      bound(first, null),
      saving(first),
      saved(first, 1),
      trimmed,
      bound(second, 2),
      of('ProfileReleased', second),
    ];
    expect(found(log, [...visitedOnce, visit(second), read(second, 2)])).to.equal('');
    expect(found(log, [...visitedOnce, visit(second), read(second, 1)])).to.contain(
      'shows 1 visits of 2 to 2',
    );
  });

  it('sees a launch with an outdated state, and one recorded out of order', () => {
    expect(found([...savedOnce, bound(first, null), of('ProfileReleased', first)])).to.contain(
      'started with state 0 where 1 was the newest',
    );
    expect(found([bound(first, null), saving(first), saved(first, 2)])).to.equal('state 2 follows 0');
  });

  it('sees a profile in two sessions, and a save by a session that does not have it', () => {
    expect(found([bound(first, null), bound(second, null), of('ProfileReleased', second)])).to.contain(
      'ProfileBound came while it was live',
    );
    expect(found([bound(first, null), saving(first), saved(second, 1)])).to.contain(
      'StateSaved is of a session that does not have it',
    );
  });

  it('sees a save without an end, and a session that ended and still has the profile', () => {
    expect(found([bound(first, null), saving(first)])).to.contain('has not ended');
    expect(found([bound(first, null)])).to.contain('has ended and still has it');
    const alive = inOrder(
      ...['SessionRequested', 'SessionReady'].map((type) =>
        event(type, { stream: first.replace('ses_', 'session-') }),
      ),
    );
    const log = [...inOrder(bound(first, null)), ...alive];
    expect(profilesKeepWhatWasSaved.violations(soundEvidence({ log }))).to.deep.equal([]);
  });
});
