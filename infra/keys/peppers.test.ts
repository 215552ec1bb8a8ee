import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { createPeppers, hashApiKey, issueApiKey, matchesApiKey, onlyPepper } from './index.ts';
import { createOneTimeTokens } from './one-time-tokens.ts';
import { readUnsubscribeToken, unsubscribeToken } from './unsubscribe-tokens.ts';

const [older, newer] = ['the older pepper', 'the newer pepper'];
const before = onlyPepper(older);
const during = createPeppers([newer, older], [], older);
const after = createPeppers([newer], [older], older);

describe('what was made with an older pepper', () => {
  it('is recognised when it is the hash of a secret, also once the pepper is retired', () => {
    const { text } = issueApiKey();
    for (const peppers of [before, during, after])
      for (const pepper of [older, newer]) {
        const isKnown = peppers !== before || pepper === older;
        expect(matchesApiKey(text, peppers, hashApiKey(text, pepper))).to.equal(isKnown);
      }
    expect(matchesApiKey(issueApiKey().text, after, hashApiKey(text, older))).to.equal(false);
  });

  it('is good when it is a link, until the pepper is retired', () => {
    const claim = { purpose: 'invitation', subject: randomUUID(), nonce: 'n' };
    const mail = { accountId: toId('account', randomUUID()), kind: 'tier-changed' };
    const text = createOneTimeTokens(before).textOf(claim);
    const matches = [before, during, after].map((peppers) =>
      createOneTimeTokens(peppers).matches(text, claim),
    );
    expect(matches).to.deep.equal([true, true, false]);
    const read = (peppers: typeof during) =>
      readUnsubscribeToken(unsubscribeToken(mail, before), ['tier-changed'], peppers);
    expect(read(during)).to.deep.equal(mail);
    expect(() => read(after)).to.throw('link is not valid');
  });

  it('is made with the newest from now on', () => {
    const claim = { purpose: 'invitation', subject: randomUUID(), nonce: 'n' };
    const text = createOneTimeTokens(during).textOf(claim);
    expect(createOneTimeTokens(after).matches(text, claim)).to.equal(true);
    expect(createOneTimeTokens(before).matches(text, claim)).to.equal(false);
  });
});
