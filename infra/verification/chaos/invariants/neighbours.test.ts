import { expect } from 'chai';
import type { Evidence } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import { neighbour, neighboursNoticeNothing } from './n21-neighbours.ts';
import { created, done, soundEvidence } from './testing/index.ts';

const by = (actor: string, exchange: Exchange): Exchange => ({ ...exchange, actor: `${actor} 1` });
const found = (changes: Partial<Evidence>) =>
  neighboursNoticeNothing.violations(soundEvidence(changes)).map(({ what }) => what);

describe('the invariant of accounts beside hostile pages', () => {
  const made = by(neighbour, created());
  const worked = by(neighbour, done('good', 'operate', { sentAt: 20_000, answeredAt: 20_100 }));
  const gone = by(neighbour, done('gone', 'operate', { status: 410, sentAt: 30_000, answeredAt: 30_100 }));

  it('sees a session that ended because of another account', () => {
    expect(found({ history: [made, worked, gone] }).join()).to.contain('was answered 410');
    expect(
      found({ history: [made, worked, { ...gone, actor: 'visitor of hostile pages 1' }] }),
    ).to.deep.equal([]);
    expect(found({ history: [made, worked] })).to.deep.equal([]);
  });

  it('sees a request without an answer, and one that failed', () => {
    const answer = { kind: 'unknown', why: 'status 503', status: 503 } as const;
    expect(found({ history: [made, worked, { ...gone, answer }] })).to.have.length(1);
    expect(found({ history: [made, by(neighbour, done('new', 'create', { status: 502 }))] })).to.have.length(
      1,
    );
    expect(found({ history: [by(neighbour, done('new', 'create', { status: 429 }))] })).to.deep.equal([]);
  });

  it('leaves out what an injected fault may have broken since the session last worked', () => {
    const fault = (from: number) => [{ name: 'kill node', from, to: from }];
    expect(found({ history: [made, worked, gone], faults: fault(25_000) })).to.deep.equal([]);
    expect(found({ history: [made, worked, gone], faults: fault(5_000) })).to.have.length(1);
    expect(found({ history: [made, worked, gone], faults: fault(31_000) })).to.have.length(1);
  });

  it('leaves out a create whose outcome is requested again, if an injected fault may have broken it', () => {
    const target = 'POST /v1/sessions';
    const answer = { kind: 'unknown', why: 'no answer', openKey: 'one' } as const;
    const lost = { ...by(neighbour, done('lost', 'create', { target, sentAt: 10_000 })), key: 'one', answer };
    const again = (key: string) => ({
      ...by(neighbour, done('again', 'create', { target, status: 504, sentAt: 30_000, answeredAt: 30_100 })),
      key,
    });
    const faults = [{ name: 'kill node', from: 12_000, to: 12_000 }];
    expect(found({ history: [lost, again('one')], faults }).join()).not.to.contain('504');
    expect(found({ history: [lost, again('other')], faults }).join()).to.contain('504');
  });
});
