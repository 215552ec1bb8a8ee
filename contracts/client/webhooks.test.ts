import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { verifyWebhook as verifyOnNode } from 'service/webhooks';
import { Service, WebhookVerificationError, type WebhookEnvelope } from './index.ts';
import { sha256 } from './sha256.ts';

interface Vector {
  readonly name: string;
  readonly secret: string | readonly string[];
  readonly body: string;
  readonly header: string;
  readonly now: number;
  readonly tolerance: number;
  readonly reason: string | null;
}

const file = readFileSync(new URL('../webhooks/vectors.json', import.meta.url), 'utf8');
const { vectors } = JSON.parse(file) as { readonly vectors: readonly Vector[] };
const { webhooks } = new Service({ baseUrl: 'https://api.example' });

describe('verifying a webhook with the client', () => {
  for (const { name, secret, body, header, now, tolerance, reason } of vectors)
    it(`says of ${name} what \`service/webhooks\` says`, () => {
      const message = { signature: header, secret, toleranceSeconds: tolerance, now: new Date(now * 1000) };
      for (const form of [body, new Uint8Array(Buffer.from(body))]) {
        const verify = () => webhooks.verify({ ...message, body: form });
        if (reason === null) expect(verify()).to.deep.equal(verifyOnNode({ ...message, body: form }));
        else expect(verify).to.throw(WebhookVerificationError).with.property('reason', reason);
      }
    });

  it('throws for a wrong call', () => {
    const message = { body: '{}', signature: 't=1,v1=', secret: 'whsec_1' };
    expect(() => webhooks.verify({ ...message, secret: '' })).to.throw(TypeError);
    expect(() => webhooks.verify({ ...message, secret: [] })).to.throw(TypeError);
    expect(() => webhooks.verify({ ...message, body: {} as never })).to.throw(TypeError);
    expect(() => webhooks.verify({ ...message, toleranceSeconds: NaN })).to.throw(TypeError);
  });

  it('hashes texts of every length as OpenSSL does', () => {
    for (let length = 0; length < 300; length += 1) {
      const bytes = randomBytes(length);
      expect(Buffer.from(sha256(bytes)).toString('hex')).to.equal(
        createHash('sha256').update(bytes).digest('hex'),
      );
    }
  });

  it('gives an envelope whose data follow from its type', () => {
    const reasonOf = (envelope: WebhookEnvelope): string | undefined =>
      envelope.type === 'session.completed' ? envelope.data.reason : undefined;
    expect(reasonOf({ type: 'test.ping' } as WebhookEnvelope)).to.equal(undefined);
  });
});
