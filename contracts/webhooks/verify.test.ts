import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { WebhookVerificationError, verifyWebhook, type WebhookEnvelope } from 'service/webhooks';
import { signatureHeader } from '../../infra/webhooks/signature.ts';
import type { WebhookEnvelope as Sent } from './envelope.ts';

interface Vector {
  readonly name: string;
  readonly secret: string | readonly string[];
  readonly body: string;
  readonly header: string;
  readonly now: number;
  readonly tolerance: number;
  readonly valid: boolean;
  readonly reason: string | null;
}

const file = readFileSync(new URL('./vectors.json', import.meta.url), 'utf8');
const { vectors } = JSON.parse(file) as { readonly vectors: readonly Vector[] };

const verify = ({ body, header, secret, tolerance, now }: Vector, asBytes: boolean) =>
  verifyWebhook({
    body: asBytes ? Buffer.from(body) : body,
    signature: header,
    secret,
    toleranceSeconds: tolerance,
    now: new Date(now * 1000),
  });

function reasonOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
}

describe('verifying a webhook', () => {
  for (const vector of vectors) {
    it(`${vector.valid ? 'takes' : 'refuses'} ${vector.name}`, () => {
      for (const asBytes of [true, false])
        expect(reasonOf(() => verify(vector, asBytes))).to.equal(vector.reason);
      expect(vector.reason === null).to.equal(vector.valid);
    });
  }

  it('accepts what the service signs, with the signatures of the vectors', () => {
    const truly = vectors.filter(({ valid, header }) => valid && /(^|,)[ \t]*t=[1-9]/.test(header));
    for (const { name, secret, body, header } of truly) {
      const time = new Date(Number(/t=(\d+)/.exec(header)?.[1]) * 1000);
      const signature = signatureHeader(Buffer.from(body), [secret].flat(), time);
      const [, ...signatures] = signature.split(',');
      expect(
        signatures.some((each) => header.toLowerCase().includes(each)),
        name,
      ).to.equal(true);
      expect(verifyWebhook({ body, signature, secret, now: time }), name).to.deep.equal(JSON.parse(body));
    }
    expect(truly.length).to.be.greaterThan(10);
  });

  it('has types without imports, which equal those of the sent envelopes', () => {
    const types = readFileSync(new URL('./verify.d.mts', import.meta.url), 'utf8');
    expect(types).not.to.match(/^import\b|\bfrom '|\bimport\(/m);
    type Fits<One, Other> = [One] extends [Other] ? true : false;
    const fit: [Fits<WebhookEnvelope, Sent>, Fits<Sent, WebhookEnvelope>] = [true, true];
    expect(fit).to.deep.equal([true, true]);
  });

  it('returns the envelope', () => {
    const [vector] = vectors;
    if (!vector) throw new Error('There are no vectors.');
    const event = verify(vector, true);
    expect(event).to.deep.equal(JSON.parse(vector.body));
    expect(event.type === 'session.completed' && event.data.duration_ms).to.equal(120_000);
  });

  const secret = 'whsec_test';
  const body = '{"id":"1","type":"test.ping"}';
  const signed = (time: number) => {
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    return `t=${time},v1=${signature}`;
  };

  it('uses the present time and 300 seconds by default', () => {
    const now = Math.floor(Date.now() / 1000);
    expect(verifyWebhook({ body, signature: signed(now), secret })).to.have.property('type', 'test.ping');
    expect(reasonOf(() => verifyWebhook({ body, signature: signed(now - 330), secret }))).to.equal('too_old');
  });

  it('refuses a missing or repeated header', () => {
    for (const signature of [undefined, [signed(1), signed(1)]])
      expect(reasonOf(() => verifyWebhook({ body, signature, secret }))).to.equal('malformed_header');
  });

  it('throws without a secret, and for a parsed body', () => {
    const signature = signed(Math.floor(Date.now() / 1000));
    for (const missing of ['', [], [secret, ''], undefined]) {
      // @ts-expect-error: the value of an unset variable.
      expect(() => verifyWebhook({ body, signature, secret: missing })).to.throw(TypeError, 'secret');
    }
    // @ts-expect-error: a body parsed by a framework.
    expect(() => verifyWebhook({ body: { id: '1' }, signature, secret })).to.throw(TypeError, 'parsed');
    for (const broken of [{ toleranceSeconds: NaN }, { toleranceSeconds: -1 }, { now: new Date(NaN) }])
      expect(() => verifyWebhook({ body, signature, secret, ...broken })).to.throw(TypeError);
  });
});
