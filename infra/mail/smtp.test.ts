import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { parseMail } from '../verification/testbed/mail-parts.ts';
import { startSmtpServer, until, type TestSmtpServer } from '../verification/testbed/index.ts';
import {
  createSmtpMailer,
  MailFailure,
  smtpConnections,
  type OutgoingMail,
  type SmtpMailer,
} from './index.ts';

const mail: OutgoingMail = {
  to: 'reader@example.com',
  subject: 'A subject',
  text: 'A line.\n.\nAnother.\n',
  html: '<p>A line.</p>\n',
  template: 'a-template',
  messageId: 'mail_1',
};

describe('mail by SMTP', () => {
  let server: TestSmtpServer;
  const open: { close(): unknown }[] = [];
  beforeEach(async () => {
    server = await startSmtpServer();
  });
  afterEach(async () => {
    for (const each of [...open.splice(0), server]) await each.close();
  });

  function mailer(url = server.url, timeoutMs = 5000): SmtpMailer {
    const made = createSmtpMailer({ url, from: 'service@example.org', timeoutMs });
    open.push(made);
    return made;
  }

  /** Why it was not sent, with all visible properties of the failure. */
  async function failure(sending: Promise<void>): Promise<string> {
    const error: unknown = await sending.then(
      () => new Error('It was sent.'),
      (caught: unknown) => caught,
    );
    if (!(error instanceof MailFailure)) throw error;
    expect(Object.keys(error)).to.have.members(['reason', 'code', 'name']);
    expect(`${error.message} ${String(error.cause)} ${error.code}`).not.to.match(/reader|hunter2/);
    return error.reason;
  }

  it('comes as it was given, with a message id of the sender’s domain', async () => {
    await mailer().send(mail);
    const [received] = server.received;
    expect(received).to.include({ from: 'service@example.org' });
    expect(received?.to).to.deep.equal(['reader@example.com']);
    expect(received?.source).to.match(/^Subject: A subject\r$/m);
    expect(received?.source).to.match(/^Message-ID: <mail_1@example\.org>\r$/m);
    expect(received?.source).to.match(/^Auto-Submitted: auto-generated\r$/m);
    expect(received?.source).to.contain('A line.\r\n.\r\nAnother.\r\n');
  });

  it('has its text and its HTML as two forms of one message, whole again whatever they hold', async () => {
    const link = `https://service.example/console/verify?token=${'x'.repeat(200)}=&a=b`;
    const text = `Grüße.\n\n${link}\n.\n${'word '.repeat(40).trim()}\n`;
    const html = `<p style="color: #000000;">Grüße</p><a href="${link.replace('&', '&amp;')}">${'x'.repeat(1200)}</a>\n`;
    await mailer().send({ ...mail, text, html });
    const [received] = server.received;
    const { headers, ...parts } = parseMail(received?.source ?? '');
    expect(parts).to.deep.equal({ text: text.trimEnd(), html: html.trimEnd() });
    expect(headers).to.include({ subject: 'A subject', 'x-service-template': 'a-template' });
    expect(headers).not.to.have.any.keys('list-unsubscribe', 'list-unsubscribe-post');
    expect(Math.max(...(received?.source ?? '').split('\r\n').map((line) => line.length))).to.be.at.most(998);
  });

  it('says where to opt out in the headers of RFC 8058, where there is such a place', async () => {
    const unsubscribe = `https://service.example/v1/email/unsubscribe?token=${'x'.repeat(120)}`;
    await mailer().send({ ...mail, unsubscribe });
    expect(parseMail(server.received[0]?.source ?? '').headers).to.include({
      'list-unsubscribe': `<${unsubscribe}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
  });

  it('shares a few connections', async () => {
    const one = mailer();
    await Promise.all(Array.from({ length: 10 }, (_, i) => one.send({ ...mail, messageId: `mail_${i}` })));
    expect(server.received).to.have.lengthOf(10);
    expect(server.connections()).to.be.at.most(smtpConnections);
  });

  it('that the server does not take is refused, and so is a reader it does not know', async () => {
    server.answer = () => 'refuse';
    expect(await failure(mailer().send(mail))).to.equal('refused');
  });

  it('is refused unsent when its address or its subject would make more of it than one mail to one reader', async () => {
    const addresses = [
      'reader@example.com\r\nBcc: other@example.com',
      'other,reader@example.com',
      'other@example.com,reader@example.com',
      '<reader@example.com>',
      'Reader <reader@example.com>',
      'group:reader@example.com;',
      '"reader"@example.com',
      'reader\u0007@example.com',
      '',
    ];
    for (const to of addresses) expect(await failure(mailer().send({ ...mail, to }))).to.equal('refused');
    const subject = 'A\nBcc: other@example.com';
    expect(await failure(mailer().send({ ...mail, subject }))).to.equal('refused');
    const unsubscribe = 'https://service.example\r\nBcc: other@example.com';
    expect(await failure(mailer().send({ ...mail, unsubscribe }))).to.equal('refused');
    expect(server.received).to.deep.equal([]);
  });

  it('to a server that is not there is unreachable', async () => {
    const { url } = server;
    await server.close();
    expect(await failure(mailer(url).send(mail))).to.equal('unreachable');
  });

  it('to a server that stops answering ends at the limit, and the next one finds its way', async () => {
    server.answer = (to) => (to === 'stuck@example.com' ? 'hang' : 'take');
    const one = mailer(server.url, 600);
    const began = performance.now();
    const stuck = Array.from({ length: smtpConnections }, () =>
      one.send({ ...mail, to: 'stuck@example.com' }),
    );
    expect(await Promise.all(stuck.map(failure))).to.deep.equal(stuck.map(() => 'timeout'));
    expect(performance.now() - began).to.be.below(2000);
    await one.send(mail);
    expect(server.received).to.have.lengthOf(1);
  });

  it('to a server that drips lines for ever ends at the limit as a whole', async () => {
    const sockets = new Set<Socket>();
    const dripping = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined));
      const drip = setInterval(() => socket.write('220-wait\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    await new Promise<void>((resolve) => dripping.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => dripping.close() });
    const { port } = dripping.address() as AddressInfo;
    expect(await failure(mailer(`smtp://127.0.0.1:${port}`, 200).send(mail))).to.equal('timeout');
    for (const socket of sockets) socket.destroy();
  });

  it('goes encrypted where the server offers it, and to no server whose certificate is not trusted', async () => {
    const encrypting = await startSmtpServer({ disabledCommands: ['AUTH'] });
    open.push(encrypting);
    expect(await failure(mailer(encrypting.url).send(mail))).to.equal('unreachable');
    await mailer(`${encrypting.url}?tls.rejectUnauthorized=false`).send(mail);
    expect(encrypting.received.map(({ isEncrypted }) => isEncrypted)).to.deep.equal([true]);
  });

  it('takes no password over a connection that cannot be encrypted', async () => {
    const asked: string[] = [];
    const asking = await startSmtpServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) => {
        asked.push(password ?? '');
        done(null, { user: 'known' });
      },
    });
    open.push(asking);
    const url = `smtp://someone:hunter2@127.0.0.1:${asking.port}`;
    expect(await failure(mailer(url).send(mail))).to.equal('unreachable');
    expect(asked).to.deep.equal([]);
    await mailer(`${url}?ignoreTLS=true`).send(mail);
    await until(() => asked.length === 1);
  });

  it('that is refused for its password says no more than that', async () => {
    const asking = await startSmtpServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) => done(new Error(`wrong: ${password}`)),
    });
    open.push(asking);
    const url = `smtp://someone:hunter2@127.0.0.1:${asking.port}?ignoreTLS=true`;
    expect(await failure(mailer(url).send(mail))).to.equal('refused');
  });
});
