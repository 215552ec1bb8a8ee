import { expect } from 'chai';
import { Secret } from 'otpauth';
import { hashRecoveryCode, newRecoveryCodes, newTotpSecret, totpStep, totpUri } from './one-time-codes.ts';

/** The secret of the test vectors of RFC 6238, appendix B, and their SHA-1 codes, cut to six digits. */
const secret = Secret.fromUTF8('12345678901234567890').base32;
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;
const second = (seconds: number) => new Date(seconds * 1000);

describe('a one-time code', () => {
  for (const [seconds, code] of vectors) {
    it(`is ${code} at second ${seconds}, as RFC 6238 has it`, () => {
      expect(totpStep(secret, code, second(seconds))).to.equal(Math.floor(seconds / 30));
    });
  }

  it('is good one step early and one step late, and names its own step', () => {
    for (const off of [-30, 0, 30]) {
      expect(totpStep(secret, '081804', second(1_111_111_109 + off))).to.equal(37_037_036);
    }
    for (const off of [-60, 60]) {
      expect(totpStep(secret, '081804', second(1_111_111_109 + off))).to.equal(null);
    }
  });

  it('is six digits and nothing else', () => {
    for (const wrong of ['', '81804', ' 81804', '0818040', '08180x', '０８１８０４', 'x'.repeat(64)]) {
      expect(totpStep(secret, wrong, second(1_111_111_109)), wrong).to.equal(null);
    }
  });

  it('is made from a secret that an app reads from the URI, with the owner’s address', () => {
    const fresh = newTotpSecret();
    expect(fresh).to.match(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.to.equal(fresh);
    const uri = new URL(totpUri(fresh, 'a+b@example.com'));
    expect(uri.protocol + decodeURIComponent(uri.pathname)).to.equal('otpauth:/Service:a+b@example.com');
    expect(uri.host).to.equal('totp');
    expect(Object.fromEntries(uri.searchParams)).to.deep.equal({
      issuer: 'Service',
      secret: fresh,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

describe('recovery codes', () => {
  it('are ten, all different, of letters and digits that cannot be mixed up', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes)).to.have.lengthOf(10);
    for (const code of codes) expect(code).to.match(/^[2-9a-hj-km-np-z]{8}-[2-9a-hj-km-np-z]{8}$/);
  });

  it('are the same however they are written, and another account’s are others', () => {
    const hash = (code: string, account = 'acc_1') => hashRecoveryCode(account, code, 'pepper');
    expect(hash('abcdefgh-23456789')).to.match(/^[0-9a-f]{64}$/);
    expect(hash('ABCD EFGH 2345 6789')).to.equal(hash('abcdefgh-23456789'));
    expect(hash('abcdefgh-23456789', 'acc_2')).not.to.equal(hash('abcdefgh-23456789'));
  });
});
