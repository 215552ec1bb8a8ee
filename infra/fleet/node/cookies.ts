import type { Cookie } from '../../../contracts/resources/session.ts';
import { pageFailure } from './driver.ts';

/** The last millisecond of the year 9999, Unix milliseconds. */
const lastMoment = 253_402_300_799_999;
/** Browsers' limit of a name with its value, in bytes. */
const longest = 4096;
const longestDomain = 255;

/** Requirements of a cookie that a jar can store; the name of each is the error message. */
const rules: readonly (readonly [wrong: string, holds: (cookie: Cookie) => boolean])[] = [
  [
    'its domain is not valid',
    ({ domain }) =>
      domain.length <= longestDomain && /^\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^\[?[0-9a-f:]+\]?$/i.test(domain),
  ],
  ['its name is not valid', ({ name }) => /^[^\p{Cc} ;=]+$/u.test(name)],
  ['its value holds a character that is not allowed', ({ value }) => /^[^\p{Cc};]*$/u.test(value)],
  ['its path is not valid', ({ path = '/' }) => /^\/[^\p{Cc};]*$/u.test(path)],
  [
    'its time of expiry is not valid',
    ({ expires = null }) => expires === null || (expires >= 0 && expires <= lastMoment),
  ],
  ['it is too long', ({ name, value }) => Buffer.byteLength(name + value) <= longest],
  [
    'its name is reserved for secure cookies',
    ({ name, secure }) => !/^__(Secure|Host)-/i.test(name) || secure === true,
  ],
  [
    'its name is reserved for cookies of one host and of the path /',
    ({ name, domain, path = '/' }) => !/^__Host-/i.test(name) || (path === '/' && !domain.startsWith('.')),
  ],
];

/** Throws for the first cookie that no browser would store. The reason contains neither name nor value. */
export function assertWritable(cookies: readonly Cookie[]): void {
  cookies.forEach((cookie, index) => {
    const [wrong] = rules.find(([, holds]) => !holds(cookie)) ?? [];
    if (wrong !== undefined)
      throw pageFailure('invalid_request', `Cookie ${index + 1} cannot be set: ${wrong}.`);
  });
}
