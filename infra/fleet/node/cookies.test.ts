import { expect } from 'chai';
import type { Cookie } from '../../../contracts/resources/session.ts';
import { assertWritable } from './cookies.ts';
import { OperationFailed } from './driver.ts';

const cookie: Cookie = { domain: 'shop.example', name: 'a', value: '1' };

describe('a cookie to be set', () => {
  const odd: readonly (readonly [which: string, changes: Partial<Cookie>])[] = [
    ['has no name', { name: '', value: 'b=1' }],
    ['has a space in its name', { name: 'two words' }],
    ['has the character DEL', { name: 'a\u007f', value: '\u007f', path: '/\u007f' }],
    ['is longer than 4,096 bytes', { value: 'x'.repeat(5_000) }],
    ['is called __Secure- and is not secure', { name: '__Secure-a' }],
    ['is called __Host- and has a path', { name: '__Host-a', secure: true, path: '/in' }],
    ['is called __Host- and is for subdomains', { name: '__Host-a', secure: true, domain: '.shop.example' }],
  ];
  for (const [which, changes] of odd)
    it(`is accepted, as the jar stores it, if it ${which}`, () => {
      expect(() => assertWritable([{ ...cookie, ...changes }])).not.to.throw();
    });

  const bad: readonly (readonly [which: string, changes: Partial<Cookie>, wrong: string])[] = [
    ['starts another cookie in its name', { name: 'a;b' }, 'its name is not valid'],
    ['starts its value in its name', { name: 'a=b' }, 'its name is not valid'],
    ['breaks the line in its name', { name: 'a\r\nb' }, 'its name is not valid'],
    [
      'starts another cookie in its value',
      { value: '1; b=2' },
      'its value holds a character that is not allowed',
    ],
    ['breaks the line in its value', { value: '1\n' }, 'its value holds a character that is not allowed'],
    [
      'has a control character beyond ASCII in its value',
      { value: 'a\u0085' },
      'its value holds a character that is not allowed',
    ],
    ['starts an attribute in its path', { path: '/;a' }, 'its path is not valid'],
    ['has a path that is none', { path: 'in' }, 'its path is not valid'],
    ['has no domain', { domain: '' }, 'its domain is not valid'],
    ['has expired before 1970', { expires: -1 }, 'its time of expiry is not valid'],
  ];
  for (const [which, changes, wrong] of bad)
    it(`is refused by its number and without its text if it ${which}`, () => {
      expect(() => assertWritable([cookie, { ...cookie, ...changes }]))
        .to.throw(OperationFailed)
        .with.property('message', `Cookie 2 cannot be set: ${wrong}.`);
    });
});
