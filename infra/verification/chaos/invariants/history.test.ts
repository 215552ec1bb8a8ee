import { expect } from 'chai';
import type { Evidence, LogEvent } from '../evidence/index.ts';
import type { Invariant } from './invariant.ts';
import { causesAreInTheLog } from './n22-causes.ts';
import { pastsAreAnswers } from './n23-pasts.ts';
import { done, event, sessionId, soundEvidence } from './testing/index.ts';

const found = ({ violations }: Invariant, evidence: Partial<Evidence>): string =>
  violations(soundEvidence(evidence))
    .map(({ what }) => what)
    .join('; ');

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

  it('N23 sees a past that is another one, and one that is not found', () => {
    const answer = done('get', 'get', { text: JSON.stringify({ id: sessionId, status: 'ready' }) });
    const judged = (text: string, status = 200) =>
      found(pastsAreAnswers, { pasts: [{ answer, past: done('past', 'as-of', { text, status }) }] });
    expect(judged(JSON.stringify({ status: 'ready', id: sessionId }))).to.equal('');
    expect(judged(JSON.stringify({ id: sessionId, status: 'busy' }))).to.contain('busy');
    expect(judged('{"title":"Not found"}', 404)).to.contain('Not found');
  });
});
