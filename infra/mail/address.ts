import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * A single address: a comma, a bracket, a quote or a line end could add recipients or headers, and servers refuse control
 * characters. Valid addresses that need quoting are refused too.
 */
export const isMailAddress = (text: string): boolean =>
  /^[^\s\p{Cc}@,;:<>()[\]"\\]+@[^\s\p{Cc}@,;:<>()[\]"\\]+$/u.test(text);

/**
 * The domain that mails are sent to, whatever is written: the mail library takes wide letters for plain ones, and drops soft hyphens.
 * Unchanged if it is no domain.
 */
export const sentDomain = (domain: string): string => domainToASCII(domain).replace(/\.+$/, '') || domain;

/** Whether a domain is written as mails are sent to it, in ASCII or in its own script. */
export function isPlainDomain(domain: string): boolean {
  const sent = sentDomain(domain);
  return domain === sent || domain === domainToUnicode(sent);
}
