import type { Cookie } from '../../../contracts/resources/session.ts';
import { pageFailure } from './driver.ts';

/** The last millisecond of the year 9999, Unix milliseconds. */
const lastMoment = 253_402_300_799_999;
const longestDomain = 255;

/** Whether it has no control character except DEL, the only one that the browser stores for a page. */
const isText = (text: string): boolean => !/(?!\u007f)\p{Cc}/u.test(text);

/**
 * Requirements of a cookie that a jar can store and send; the name of each is the error message. No more than that: what sites have set
 * despite the rules of other browsers (without a name, with spaces in it, over 4,096 bytes, with the prefix `__Host-` and a path) can be set
 * again. The domain alone decides which sites get a cookie.
 */
const rules: readonly (readonly [wrong: string, holds: (cookie: Cookie) => boolean])[] = [
  [
    'its domain is not valid',
    ({ domain }) =>
      domain.length <= longestDomain && /^\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*$|^\[?[0-9a-f:]+\]?$/i.test(domain),
  ],
  ['its name is not valid', ({ name }) => isText(name) && !/[;=]/.test(name)],
  ['its value holds a character that is not allowed', ({ value }) => isText(value) && !value.includes(';')],
  ['its path is not valid', ({ path = '/' }) => isText(path) && /^\/[^;]*$/.test(path)],
  [
    'its time of expiry is not valid',
    ({ expires = null }) => expires === null || (expires >= 0 && expires <= lastMoment),
  ],
];

/** Throws for the first cookie that the jar cannot store or send. The reason contains neither name nor value. */
export function assertWritable(cookies: readonly Cookie[]): void {
  cookies.forEach((cookie, index) => {
    const [wrong] = rules.find(([, holds]) => !holds(cookie)) ?? [];
    if (wrong !== undefined)
      throw pageFailure('invalid_request', `Cookie ${index + 1} cannot be set: ${wrong}.`);
  });
}
