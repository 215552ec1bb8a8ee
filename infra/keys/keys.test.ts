import { expect } from 'chai';
import fc from 'fast-check';
import { fromBase62, toBase62 } from './base62.ts';
import { hashApiKey, issueApiKey, keyedUuid, matchesApiKey, parseApiKey, onlyPepper } from './index.ts';

describe('api key text', () => {
  it('carries marker, id, secret and checksum in its fixed lengths', () => {
    expect(issueApiKey().text).to.match(/^svc_live_[0-9A-Za-z]{60}$/);
  });

  it('gives its id back', () => {
    for (let n = 0; n < 50; n += 1) {
      const key = issueApiKey();
      expect(parseApiKey(key.text)).to.deep.equal({ apiKeyId: key.id });
    }
  });

  it('is never the same twice', () => {
    expect(new Set(Array.from({ length: 200 }, () => issueApiKey().text))).to.have.lengthOf(200);
  });

  it('shows a prefix and last four characters that hold nothing of the secret', () => {
    const { text, prefix, last4 } = issueApiKey();
    expect(text.startsWith(prefix)).to.equal(true);
    expect(prefix.length).to.be.at.most('svc_live_'.length + 22);
    expect(text.endsWith(last4)).to.equal(true);
    expect(last4).to.have.lengthOf(4);
  });

  it('is malformed after any one character changed', () => {
    const { text } = issueApiKey();
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, other) => {
        fc.pre(text.charAt(at) !== other);
        expect(parseApiKey(text.slice(0, at) + other + text.slice(at + 1))).to.equal('malformed');
      }),
    );
  });

  it('is malformed when cut, extended or something else altogether', () => {
    const { text } = issueApiKey();
    for (const wrong of [
      '',
      'svc_live_',
      text.slice(0, -1),
      `${text}x`,
      `${text}\n`,
      text.replace('live', 'test'),
    ])
      expect(parseApiKey(wrong)).to.equal('malformed');
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (any) => parseApiKey(any) === 'malformed'));
  });

  it('matches only the hash of itself under the same pepper', () => {
    const key = issueApiKey();
    const stored = hashApiKey(key.text, 'pepper');
    expect(stored).to.match(/^[0-9a-f]{64}$/);
    expect(matchesApiKey(key.text, onlyPepper('pepper'), stored)).to.equal(true);
    expect(matchesApiKey(key.text, onlyPepper('other'), stored)).to.equal(false);
    expect(matchesApiKey(issueApiKey().text, onlyPepper('pepper'), stored)).to.equal(false);
    expect(matchesApiKey(key.text, onlyPepper('pepper'), 'not hex')).to.equal(false);
  });
});

describe('base 62', () => {
  it('gives every 128-bit number back from 22 digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (value) => {
        const text = toBase62(value, 22);
        expect(text).to.have.lengthOf(22);
        expect(fromBase62(text)).to.equal(value);
      }),
    );
  });
});

describe('a keyed uuid', () => {
  it('is the same for the same text and pepper only, and a valid uuid', () => {
    expect(keyedUuid('a@example.com', 'pepper')).to.equal(keyedUuid('a@example.com', 'pepper'));
    expect(keyedUuid('a@example.com', 'pepper')).not.to.equal(keyedUuid('b@example.com', 'pepper'));
    expect(keyedUuid('a@example.com', 'pepper')).not.to.equal(keyedUuid('a@example.com', 'other'));
    expect(keyedUuid('a@example.com', 'pepper')).to.match(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});
