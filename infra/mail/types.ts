export interface OutgoingMail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Kind of mail, sent in the header `X-Service-Template`. */
  readonly template: string;
  /** URL for opting out by one request (RFC 8058). */
  readonly unsubscribe?: string | undefined;
  /** Unique to the mail, and the same in every attempt, so that mail programs can deduplicate. */
  readonly messageId: string;
}

export interface Mailer {
  /** Resolves once the server has accepted the mail; otherwise rejects with `MailFailure`, also after the timeout. */
  send(mail: OutgoingMail): Promise<void>;
}

/** `refused`: by the server, whose text may name the recipient and is therefore dropped. */
export type MailFailureReason = 'unreachable' | 'refused' | 'timeout';

export class MailFailure extends Error {
  readonly reason: MailFailureReason;
  /** The cause as one fixed code of Node, OpenSSL or the library, such as `ECONNREFUSED`, for the operator. */
  readonly code: string;

  constructor(reason: MailFailureReason, code = '') {
    super(`The mail was not sent: ${reason}.`);
    this.name = 'MailFailure';
    this.reason = reason;
    this.code = code;
  }
}
