import { expect } from 'chai';
import { certificate, privateKey, startSmtpServer } from '../verification/testbed/index.ts';
import { createSmtpMailer, MailFailure, type OutgoingMail } from './index.ts';

const mail: OutgoingMail = {
  to: 'reader@example.com',
  subject: 'A subject',
  text: 'A line.\n',
  html: '<p>A line.</p>\n',
  template: 'a-template',
  messageId: 'mail_1',
};
const password = 'hunter2-canary';
const trusted = new URLSearchParams({ 'tls.ca': certificate, 'tls.servername': 'mail.test' }).toString();

const ways = {
  'smtps://, TLS from the first byte': { scheme: 'smtps', options: { secure: true } },
  'smtp:// with STARTTLS': { scheme: 'smtp', options: {} },
};

for (const [way, { scheme, options }] of Object.entries(ways))
  describe(`mail by ${way}, with a password`, () => {
    let server: Awaited<ReturnType<typeof startSmtpServer>>;
    const passwords: unknown[] = [];
    before(async () => {
      server = await startSmtpServer({
        ...options,
        disabledCommands: [],
        cert: certificate,
        key: privateKey,
        onAuth: (given, _session, done) => {
          passwords.push(given.password);
          if (given.password === password) done(null, { user: 'service' });
          else done(new Error(`not ${given.password}`));
        },
      });
    });
    beforeEach(() => passwords.splice(0));
    after(() => server.close());

    const send = async (query: string, secret = password): Promise<void> => {
      const url = `${scheme}://service:${secret}@127.0.0.1:${server.port}?${query}`;
      const mailer = createSmtpMailer({ url, from: 'service@example.org', timeoutMs: 5000 });
      await mailer.send(mail).finally(() => mailer.close());
    };
    /** All visible properties of a failure. */
    const failure = async (sending: Promise<void>): Promise<object> => {
      const error: unknown = await sending.catch((caught: unknown) => caught);
      if (!(error instanceof MailFailure)) throw new Error('It was sent.', { cause: error });
      expect(`${error.stack} ${JSON.stringify(error)}`).not.to.match(/hunter2|reader@/);
      return { reason: error.reason, code: error.code };
    };

    it('goes encrypted to a server whose certificate is trusted', async () => {
      await send(trusted);
      expect(server.received.map(({ to, isEncrypted }) => [to, isEncrypted])).to.deep.equal([
        [[mail.to], true],
      ]);
      expect(passwords).to.deep.equal([password]);
    });

    for (const [what, query, code] of [
      ['that is self-signed', '', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
      ['of another host', trusted.replace('mail.test', 'other.test'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ] as const)
      it(`does not go, nor does the password, to a server with a certificate ${what}`, async () => {
        expect(await failure(send(query))).to.deep.equal({ reason: 'unreachable', code });
        expect(passwords).to.deep.equal([]);
      });

    it('is refused for a wrong password, which the failure does not name', async () => {
      expect(await failure(send(trusted, 'hunter2-wrong'))).to.deep.equal({
        reason: 'refused',
        code: 'EAUTH',
      });
      expect(passwords).to.deep.equal(['hunter2-wrong']);
    });
  });
