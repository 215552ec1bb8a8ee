export interface OutgoingMail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** What kind of mail it is; stands in the header `X-Service-Template`. */
  readonly template: string;
  /** Where its reader opts out of mails of its kind by one request (RFC 8058). */
  readonly unsubscribe?: string | undefined;
  /** Unique to the mail, and the same whenever it is sent: by it a mail program recognises a repeat. */
  readonly messageId: string;
}

export interface Mailer {
  /** Resolves once the server has taken the mail; rejects with a `MailFailure` when it has not, or did not say so in time. */
  send(mail: OutgoingMail): Promise<void>;
}

/** `refused`: by the server, which may name the reader while it does; so what it said goes nowhere. */
export type MailFailureReason = 'unreachable' | 'refused' | 'timeout';

export class MailFailure extends Error {
  readonly reason: MailFailureReason;
  /** What is behind it in one fixed word of Node, OpenSSL or the library, such as `ECONNREFUSED`, for the operator. */
  readonly code: string;

  constructor(reason: MailFailureReason, code = '') {
    super(`The mail was not sent: ${reason}.`);
    this.name = 'MailFailure';
    this.reason = reason;
    this.code = code;
  }
}
