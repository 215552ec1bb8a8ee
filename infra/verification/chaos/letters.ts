import { parseMail } from '../testbed/mail-parts.ts';
import type { ReceivedMail } from '../testbed/index.ts';

/** A parsed mail. */
export interface Letter {
  /** The same in each copy that was sent. */
  readonly mailId: string;
  readonly template: string;
  readonly to: string;
  /** The token of its link, if it has one. */
  readonly token: string | undefined;
}

/** Cache of parsed mails, since every waiting reader parses them again and again. */
const read = new WeakMap<ReceivedMail, Letter>();

export function letterOf(mail: ReceivedMail): Letter {
  const known = read.get(mail);
  if (known !== undefined) return known;
  const { headers, text } = parseMail(mail.source);
  const letter = {
    mailId: /<([^@]+)@/.exec(headers['message-id'] ?? '')?.[1] ?? '',
    template: headers['x-service-template'] ?? '',
    to: mail.to[0] ?? '',
    token: /\?token=(\S+)/.exec(text)?.[1],
  };
  read.set(mail, letter);
  return letter;
}
