import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../contracts/ids.ts';
import { unsubscribeToken } from '../infra/keys/unsubscribe-tokens.ts';
import { onlyPepper } from '../infra/keys/index.ts';
import { peppers, startReadApi, type ReadApi } from './testing.ts';

const claim = { accountId: toId('account', randomUUID()), kind: 'signup-welcome' };

describe('the page that the opt-out link of a mail opens', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi();
  });
  after(() => api.close());

  const open = (token: string) => api.call(`GET /v1/email/unsubscribe?token=${token}`, { token: null });

  it('asks by a button that posts to its own address, and needs no sign-in', async () => {
    const { status, text, headers } = await open(unsubscribeToken(claim, peppers));
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(text).to.contain('<form method="post">').and.to.contain('signup-welcome');
  });

  it('loads nothing, runs nothing, and sends no referrer', async () => {
    const { text, headers } = await open(unsubscribeToken(claim, peppers));
    expect(headers['referrer-policy']).to.equal('same-origin');
    expect(headers['content-security-policy']).to.contain("default-src 'none'").and.to.contain('form-action');
    expect(text).not.to.match(/<script|src=|https?:/);
  });

  it('is not there for a token that is not ours', async () => {
    for (const token of ['', 'nonsense', unsubscribeToken(claim, onlyPepper('another pepper'))]) {
      const { status, json } = await open(token);
      expect([status, json.type], token).to.deep.equal([401, 'https://errors.example/invalid-auth-token']);
    }
  });
});
