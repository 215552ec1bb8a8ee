import { expect } from 'chai';
import { mailTemplates, subscriberMailTemplates, type MailTemplate } from '../../contracts/events/mail.ts';
import type { MailFacts } from '../../domain/mail.ts';
import { renderMail } from './index.ts';
import { sampleMail } from './samples.ts';

const render = (template: MailTemplate, facts: MailFacts = {}) => {
  const sample = sampleMail(template);
  return renderMail({ ...sample, facts: { ...sample.facts, ...facts } });
};

/** Ignores line breaks. */
const words = (text: string): string => text.replace(/\s+/g, ' ');

describe('the text of a mail', () => {
  it('of a failing endpoint says which, how often, what happens next, and where to look', () => {
    const { subject, text } = render('webhook-failing');
    expect(subject).to.equal('Your webhook endpoint at receiver.example:8443 is failing');
    expect(text).to.equal(`The last 25 attempts to deliver an event to your webhook endpoint
failed.

  Endpoint  whk_0197f1a0-0000-7000-8000-000000000001
  Host      receiver.example:8443

After 50 failed attempts in a row the endpoint is permanently disabled,
and its pending deliveries are cancelled. A successful attempt resets
the count to 0.

Every attempt and its outcome:

  GET /v1/webhooks/whk_0197f1a0-0000-7000-8000-000000000001/deliveries

--

About account acc_0197f1a0-0000-7000-8000-000000000001.
`);
  });

  it('of an aged secret says how old it is, and how to rotate it', () => {
    const { text } = render('webhook-secret-reminder');
    expect(words(text)).to.contain('in use for 60 days. We recommend a new one every 90 days.');
    expect(text).to.contain('In use since  2025-11-06').and.to.contain('/rotate-secret');
  });

  it('of an invitation says who invites, as what, and until when', () => {
    const { subject, text } = render('team-invitation');
    expect(subject).to.equal('ada@workshop.example invites you to their team');
    expect(text).to.contain('Your role   member');
    expect(words(text)).to.contain('to change nothing.');
    expect(words(text)).to.contain('The link works once, until 12 January 2026 at 12:00 UTC.');
  });

  it('of a second way to sign in says that it works already, and what to do if it was somebody else', () => {
    const { subject, text } = render('sign-in-merge');
    expect(subject).to.equal('Your account has a second way to sign in');
    expect(words(text))
      .to.contain('both work now')
      .and.contain('reset your password: that signs everybody out.');
    expect(words(text)).not.to.match(/ignore this mail|about to|keeps the one way/);
  });

  it('of wrong passwords says within what time they came, since a right one does not reset the count', () => {
    const { text } = render('sign-in-attempts');
    expect(words(text)).to.contain('Within an hour ten attempts').and.not.contain('in a row');
  });

  it('of wrong codes says that somebody has the first factor, and one of a removed second factor what to do', () => {
    const { text } = render('second-factor-attempts');
    expect(words(text)).to.contain('Ten codes in a row').and.contain('reset your password');
    expect(words(render('second-factor-removed').text)).to.contain('enroll a second factor again');
  });

  it('of an ending grace period says from when on the old secret no longer signs', () => {
    const { subject, text } = render('webhook-grace-ending');
    expect(subject).to.match(
      /^The old signing secret of your webhook endpoint at receiver.example:8443 ends soon$/,
    );
    expect(words(text)).to.contain('The old secret stops signing on 6 January 2026 at 12:00 UTC;');
  });

  it('contains the link to opt out, whole and on a line of its own, if there is one', () => {
    const unsubscribe = `https://service.example/v1/email/unsubscribe?token=${'t'.repeat(120)}&more=1`;
    const { text, html } = renderMail(sampleMail('tier-changed'), { unsubscribe });
    expect(text.split('\n')).to.include(unsubscribe);
    expect(html).to.contain(`href="${unsubscribe.replace('&', '&amp;')}"`);
  });

  it('of an incident has the whole message, a paragraph for each of its lines, and the first one beside the subject', () => {
    const long = `${'Because of it, deliveries wait. '.repeat(150)}The end.`;
    for (const template of ['incident-posted', 'incident-update', 'incident-resolved'] as const) {
      const message = `Late.\r\n\n  <b>Because</b>\u202eof it: \u2028${long}`;
      const { text, html } = render(template, { message });
      expect(text).to.match(/^Late\.\n\n<b>Because<\/b> of it:\n\nBecause of it, deliveries/);
      expect(words(text)).to.contain(long);
      expect(html).to.match(/mso-hide: all;">Late\.<\/div>/);
      expect(html).to.match(/>Late\.<\/p>\s*<p[^>]*>&lt;b&gt;Because&lt;\/b&gt; of it:<\/p>/);
      expect(html).to.contain(`>${long}</p>`);
    }
  });

  it('says that a text is cut, and cuts no character', () => {
    const { html } = render('incident-posted', { message: 'x'.repeat(148) + '🦊🦊 and more' });
    expect(html).to.contain(`>${'x'.repeat(148)}🦊…</div>`);
    expect(render('session-failed-first', { reason: 'x'.repeat(1998) + '🦊🦊 more' }).text).to.contain(
      'x🦊…',
    );
    expect(render('incident-posted', { message: '\n\u200b\n' }).text).to.match(/^\(unknown\)\n/);
  });

  it('names tiers as people write them', () => {
    expect(render('tier-changed').subject).to.equal('Your account is now on API Starter');
  });
});

for (const template of [...mailTemplates, ...subscriberMailTemplates])
  describe(`every mail from ${template}`, () => {
    const { facts } = sampleMail(template);

    it('contains all its facts, and no gap in the place of one', () => {
      const { subject, text, html } = render(template);
      for (const part of [subject, text, html]) expect(part).not.to.match(/\(unknown\)|undefined|null|NaN/);
      const verbatim = Object.values(facts).filter((fact) => !/^[a-z_]+$|T12:00/.test(String(fact)));
      for (const value of verbatim) {
        expect(text).to.contain(String(value));
        expect(html).to.contain(String(value).replaceAll('&', '&amp;'));
      }
    });

    it('has lines of at most 76 characters, except links, which have a line of their own', () => {
      const lines = render(template).text.split('\n');
      const { link } = facts;
      const long = lines.filter((line) => line.length > 76);
      expect(long.filter((line) => line !== link)).to.deep.equal([]);
      if (link !== undefined) expect(lines).to.include(link);
    });

    it('says who it is about, in which language it is, and needs nothing from elsewhere', () => {
      const { text, html } = render(template);
      for (const part of [text, html])
        expect(part).to.contain(sampleMail(template).accountId ?? 'entered on our status page');
      expect(html).to.match(/^<!doctype html>\s*<html lang="en">/);
      expect(html).not.to.match(/<img|<script|<link|url\(|@import|src=/i);
    });

    it('escapes each of its facts, and makes one line of it, unless it is a text of several', () => {
      const evil = `"'><a href="https://evil.example">x</a>\r\nBcc: other@example.com\u202e\n\n-- `;
      const lines = Object.keys(facts).filter((name) => name !== 'message');
      const forged = Object.fromEntries(lines.map((name) => [name, evil]));
      const { subject, text, html } = render(template, forged);
      expect(subject).not.to.match(/[\r\n]/);
      expect(text).not.to.match(/^\s*Bcc:|\r|\u202e/m);
      expect(text.match(/^--$/gm)).to.have.lengthOf(1);
      expect(html).not.to.contain('<a href="https://evil.example"').and.not.to.contain('">x</a>');
    });

    it('names a fact that is missing, and never fails for it', () => {
      const { text } = renderMail({ ...sampleMail(template), facts: {} });
      if (Object.keys(facts).length > 0) expect(text).to.contain('(unknown)');
      expect(text).to.contain('--');
    });
  });
