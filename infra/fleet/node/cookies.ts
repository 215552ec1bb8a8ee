import type { Cookie } from '../../../contracts/resources/session.ts';
import { pageFailure } from './driver.ts';

/** The last moment of the year 9999, unix milliseconds. */
const lastMoment = 253_402_300_799_999;
/** Bytes of a name with its value, as browsers limit them. */
const longest = 4096;

/** What a cookie that can be in a jar is like; the name of each rule says what is wrong with one that is not. */
const rules: readonly (readonly [wrong: string, holds: (cookie: Cookie) => boolean])[] = [
  [
    'its domain is not valid',
    ({ domain }) => /^\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^\[?[0-9a-f:]+\]?$/i.test(domain),
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

/** Throws for the first cookie that no browser would keep. Names and values are in no reason. */
export function assertWritable(cookies: readonly Cookie[]): void {
  cookies.forEach((cookie, index) => {
    const [wrong] = rules.find(([, holds]) => !holds(cookie)) ?? [];
    if (wrong !== undefined)
      throw pageFailure('invalid_request', `Cookie ${index + 1} cannot be set: ${wrong}.`);
  });
}
