import { expect } from 'chai';
import { onlyPepper } from './peppers.ts';
import { createOneTimeTokens } from './one-time-tokens.ts';

const claim = {
  purpose: 'magic_link',
  subject: '0197f1a0-0000-7000-8000-000000000001',
  nonce: '0197f1a0-0000-5000-8000-000000000002',
};

describe('a one-time token', () => {
  const tokens = createOneTimeTokens(onlyPepper('a pepper'));
  const text = tokens.textOf(claim);

  it('names its subject and carries a proof and a checksum', () => {
    expect(text).to.match(/^svc_once_[0-9A-Za-z]{60}$/);
    expect(tokens.subjectOf(text)).to.equal(claim.subject);
  });

  it('is the same in every process, under the same pepper only', () => {
    expect(createOneTimeTokens(onlyPepper('a pepper')).textOf(claim)).to.equal(text);
    expect(createOneTimeTokens(onlyPepper('another')).textOf(claim)).not.to.equal(text);
  });

  it('matches its own claim only', () => {
    expect(tokens.matches(text, claim)).to.equal(true);
    const others = [
      { ...claim, purpose: 'password_reset' },
      { ...claim, subject: claim.nonce },
      { ...claim, nonce: claim.subject },
    ];
    for (const other of others) expect(tokens.matches(text, other)).to.equal(false);
  });

  it('is recognised as malformed after any change', () => {
    const changed = text.slice(0, 30) + (text[30] === 'x' ? 'y' : 'x') + text.slice(31);
    for (const wrong of ['', changed, `${text}x`, text.slice(1), 'svc_live_', '\0'])
      expect(tokens.subjectOf(wrong), wrong).to.equal(undefined);
  });
});
