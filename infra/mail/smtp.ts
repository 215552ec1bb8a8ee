import { createTransport, type NodemailerError } from 'nodemailer';
import { isMailAddress } from './address.ts';
import { MailFailure, type MailFailureReason, type Mailer } from './types.ts';

/** Mails sent at once. With more, the time limits of waiting ones would run as well. */
export const smtpConnections = 4;

export interface SmtpOptions {
  /** `smtps://…` is TLS from the first byte; `smtp://…` turns to TLS when the server offers it. */
  readonly url: string;
  /** The sender's address; its domain makes message ids whole. */
  readonly from: string;
  /** What sending one mail may take in total, milliseconds. */
  readonly timeoutMs: number;
}

export interface SmtpMailer extends Mailer {
  /** Greets the server and signs in, and sends nothing. Rejects with a `MailFailure`. */
  check(): Promise<void>;
  /** Breaks off what is being sent, and closes the connections. */
  close(): void;
}

/** Sends by SMTP, over a few connections that are kept for a while. What the server says is not passed on. */
export function createSmtpMailer({ url, from, timeoutMs }: SmtpOptions): SmtpMailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: smtpConnections,
    // A message whose connection ended would be sent again by itself, though the server may have taken it.
    maxRequeues: 0,
    socketTimeout: timeoutMs,
    ...(mustEncrypt(url) ? { requireTLS: true } : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    send: async ({ to, subject, text, html, template, messageId, unsubscribe = '' }) => {
      if (!isMailAddress(to) || [subject, template, messageId, unsubscribe].some(hasLineEnd))
        throw new MailFailure('refused');
      const mail = {
        from,
        to,
        subject,
        text,
        html,
        messageId: `<${messageId}@${domain}>`,
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Service-Template': template,
          ...oneClick(unsubscribe),
        },
        signal: AbortSignal.timeout(timeoutMs),
      };
      await transport.sendMail(mail).catch(fail);
    },
    check: async () => void (await transport.verify().catch(fail)),
    close: () => transport.close(),
  };
}

/** The headers of RFC 2369 and RFC 8058. */
const oneClick = (address: string): Readonly<Record<string, string>> =>
  address === ''
    ? {}
    : { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/** A password goes over an encrypted connection or not at all, unless the address itself says `?ignoreTLS=true`. */
function mustEncrypt(url: string): boolean {
  const { password, searchParams } = new URL(url);
  return password !== '' && searchParams.get('ignoreTLS') !== 'true';
}

/** It would end the header and begin another. */
const hasLineEnd = (text: string): boolean => /[\r\n]/.test(text);

/** Of the library's error codes, by what they mean for a second attempt; all others are of the way to the server. */
const reasons: Readonly<Record<string, MailFailureReason>> = {
  EABORT: 'timeout',
  ETIMEDOUT: 'timeout',
  EAUTH: 'refused',
  ENOAUTH: 'refused',
  EENVELOPE: 'refused',
  EMESSAGE: 'refused',
  EPROTOCOL: 'refused',
};

const fail = (error: unknown): never => {
  throw failureOf(error);
};

/** The library puts a code of its own before the one of the socket or the handshake, which says more. */
function failureOf(error: unknown): MailFailure {
  const { code = '', originalCode = code }: NodemailerError = error instanceof Error ? error : new Error();
  return new MailFailure(reasons[code] ?? 'unreachable', originalCode);
}
