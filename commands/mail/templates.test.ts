import { expect } from 'chai';
import { mailTemplates } from '../../contracts/events/mail.ts';
import { mailText } from './index.ts';

const endpoint = { webhook_id: 'whk_00000000-0000-4000-8000-000000000001', host: 'receiver.example' };

describe('the text of a mail', () => {
  it('of a failing endpoint says which, how often, what comes of it, and where to look', () => {
    const { subject, text } = mailText('webhook-failing', { ...endpoint, failures: 25, disabled_after: 50 });
    expect(subject).to.equal('Your webhook endpoint at receiver.example is failing');
    expect(text).to.equal(`The last 25 attempts to deliver an event to your webhook endpoint
failed.

  endpoint  whk_00000000-0000-4000-8000-000000000001
  host      receiver.example

After 50 failed attempts in a row the endpoint is disabled for good, and
the deliveries that wait for it are cancelled. One attempt that succeeds
sets the count back to 0.

Every attempt, with what it came to:
  GET /v1/webhooks/whk_00000000-0000-4000-8000-000000000001/deliveries
`);
  });

  it('of a disabled endpoint says so, and what to do', () => {
    const { subject, text } = mailText('webhook-disabled', { ...endpoint, failures: 50 });
    expect(subject).to.equal('Your webhook endpoint at receiver.example is disabled');
    expect(text).to.match(/^50 attempts in a row .*\nfailed\. It is disabled for good/);
    expect(text).to.contain('create a new endpoint (POST /v1/webhooks)');
  });

  it('of an aged secret says how old it is, and how to rotate it', () => {
    const facts = { ...endpoint, secret_since: '2026-01-01', secret_days: 60 };
    const { subject, text } = mailText('webhook-secret-reminder', facts);
    expect(subject).to.equal('Rotate the signing secret of your webhook endpoint at receiver.example');
    expect(text).to.contain('in use for 60\ndays. We recommend a new one every 90 days.');
    expect(text).to.contain('since 2026-01-01');
    expect(text).to.contain(`POST /v1/webhooks/${endpoint.webhook_id}/rotate-secret`);
  });

  it('of an ending grace says from when on the old secret signs no more', () => {
    const facts = { ...endpoint, grace_ends_at: '2026-01-12T00:00:00.000Z' };
    const { subject, text } = mailText('webhook-grace-ending', facts);
    expect(subject).to.equal('The old signing secret of your webhook endpoint at receiver.example ends soon');
    expect(text).to.contain('The old secret\nstops signing at 2026-01-12T00:00:00.000Z');
  });

  it('has lines that travel as they are', () => {
    const facts = {
      ...endpoint,
      grace_ends_at: '2026-01-12T00:00:00.000Z',
      failures: 50,
      disabled_after: 50,
    };
    for (const template of mailTemplates) {
      const lines = mailText(template, {
        ...facts,
        secret_days: 1000,
        secret_since: '2026-01-01',
      }).text.split('\n');
      expect(Math.max(...lines.map((line) => line.length))).to.be.at.most(76);
    }
  });

  it('names a fact that is missing, and never fails for it', () => {
    for (const template of mailTemplates) expect(mailText(template, {}).text).to.contain('(unknown)');
  });
});
