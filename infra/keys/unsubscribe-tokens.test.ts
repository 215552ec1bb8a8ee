import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { onlyPepper } from './peppers.ts';
import { readUnsubscribeToken, unsubscribeToken } from './unsubscribe-tokens.ts';

const peppers = onlyPepper('p'.repeat(32));
const kinds = ['signup-welcome', 'tier-changed'] as const;
const claim = { accountId: toId('account', randomUUID()), kind: 'tier-changed' };
const notOurs = 'link is not valid';
const read = (token: string | undefined, by = peppers) => readUnsubscribeToken(token, kinds, by);

describe('an unsubscribe token', () => {
  const token = unsubscribeToken(claim, peppers);

  it('is read as what it was made for', () => {
    expect(read(token)).to.deep.equal(claim);
    expect(unsubscribeToken(claim, peppers)).to.equal(token);
  });

  it('needs no escaping in an address', () => {
    expect(encodeURIComponent(token)).to.equal(token);
  });

  it('is nothing with another pepper, nor for a kind that does not exist', () => {
    expect(() => read(token, onlyPepper('q'.repeat(32)))).to.throw(notOurs);
    expect(() => read(unsubscribeToken({ ...claim, kind: 'password-reset' }, peppers))).to.throw(notOurs);
  });

  it('is nothing when its account, its kind or its code is another one', () => {
    const [uuid = '', kind = '', mac = ''] = token.split('.');
    const others = [
      [randomUUID(), kind, mac],
      [uuid, 'signup-welcome', mac],
      [uuid, kind, mac.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))],
      [uuid, kind, ''],
      [uuid, kind],
      [uuid, kind, mac, mac],
      ['', '', ''],
    ].map((parts) => parts.join('.'));
    for (const other of [...others, '', undefined]) expect(() => read(other), other).to.throw(notOurs);
  });
});
