import { expect } from 'chai';
import { grantOfDeviceCode, grantOfUserCode, issueUserCode, newDeviceCode } from './device-codes.ts';

const pepper = 'pepper';
const grantOf = (code: string) => grantOfUserCode(code, pepper);

describe('a user code', () => {
  it('is eight consonants in two groups', () => {
    const issued = Array.from({ length: 200 }, () => issueUserCode(pepper));
    const codes = issued.map(({ userCode }) => userCode);
    for (const code of codes) expect(code).to.match(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(new Set(codes)).to.have.lengthOf(200);
    expect(codes.map(grantOf)).to.deep.equal(issued.map(({ grant }) => grant));
  });

  it('leads to the same grant with and without its dash, in capitals or not', () => {
    const grant = grantOf('BCDF-GHJK');
    expect(grant).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    for (const same of ['bcdfghjk', 'BCDFGHJK', ' bcdf ghjk ', 'b-c-d-f-g-h-j-k']) {
      expect(grantOf(same)).to.equal(grant);
    }
    expect(grantOf('BCDF-GHJL')).not.to.equal(grant);
    expect(grantOfUserCode('BCDF-GHJK', 'another')).not.to.equal(grant);
  });

  it('is nothing else', () => {
    for (const wrong of [
      '',
      'BCDF-GHJ',
      'BCDF-GHJKL',
      'ABCD-EFGH',
      'BCDF-GHJ1',
      'ſcdf-ghjk',
      'x'.repeat(1000),
    ]) {
      expect(grantOf(wrong), wrong).to.equal(undefined);
    }
  });
});

describe('a device code', () => {
  const grant = '0197f1a0-0000-8000-8000-000000000001';

  it('names its grant, and is another one each time', () => {
    const [one, other] = [newDeviceCode(grant), newDeviceCode(grant)];
    expect(one).not.to.equal(other);
    expect([one, other].map(grantOfDeviceCode)).to.deep.equal([grant, grant]);
  });

  it('is recognised when it is mistyped', () => {
    const code = newDeviceCode(grant);
    for (const wrong of ['', code.slice(1), `${code}x`, code.replace('device', 'live')]) {
      expect(grantOfDeviceCode(wrong)).to.equal(undefined);
    }
  });
});
