import { createTransport, type NodemailerError } from 'nodemailer';
import { isMailAddress } from './address.ts';
import { MailFailure, type MailFailureReason, type Mailer } from './types.ts';

/** Maximum concurrent mails. With more, timeouts of waiting ones would run as well. */
export const smtpConnections = 4;

export interface SmtpOptions {
  /** `smtps://…` is TLS from the first byte; `smtp://…` uses STARTTLS if offered. */
  readonly url: string;
  /** The sender's address; its domain completes message ids. */
  readonly from: string;
  /** Total timeout of sending one mail, in milliseconds. */
  readonly timeoutMs: number;
}

export interface SmtpMailer extends Mailer {
  /** Connects and signs in, without sending. Rejects with `MailFailure`. */
  check(): Promise<void>;
  /** Aborts running sends, and closes the connections. */
  close(): void;
}

/** Sends by SMTP, over a small pool of connections. The server's texts are not passed on. */
export function createSmtpMailer({ url, from, timeoutMs }: SmtpOptions): SmtpMailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: smtpConnections,
    // The library would resend a message after a lost connection, although the server may have accepted it.
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

/** A password requires encryption, unless the URL has `?ignoreTLS=true`. */
function mustEncrypt(url: string): boolean {
  const { password, searchParams } = new URL(url);
  return password !== '' && searchParams.get('ignoreTLS') !== 'true';
}

/** A line end would add a header. */
const hasLineEnd = (text: string): boolean => /[\r\n]/.test(text);

/** The library's error codes with a meaning for the next attempt; others are connection errors. */
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

/** The library's own code precedes that of the socket or the handshake, which is more specific. */
function failureOf(error: unknown): MailFailure {
  const { code = '', originalCode = code }: NodemailerError = error instanceof Error ? error : new Error();
  return new MailFailure(reasons[code] ?? 'unreachable', originalCode);
}
