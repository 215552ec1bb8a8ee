import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { isInsider } from './insiders.ts';

describe('who sees what is inside', () => {
  const token = 'a-token-of-at-least-thirty-two-characters';
  const asked = (from: string, headers: Record<string, string> = {}) =>
    isInsider({ socket: { remoteAddress: from }, headers } as unknown as IncomingMessage, token);
  const host = 'localhost:8080';

  for (const from of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])
    for (const own of ['localhost:8080', '127.0.0.1', '[::1]:8080', 'LOCALHOST'])
      it(`a caller at ${from} that asks for ${own}`, () => expect(asked(from, { host: own })).to.equal(true));

  for (const from of ['192.0.2.1', '10.0.0.1', '::', '2001:db8::1', '::ffff:192.0.2.1', ''])
    it(`no caller at ${from || 'no address'}, whatever it says of itself`, () => {
      expect(asked(from, { host })).to.equal(false);
      expect(asked(from, { host, 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1' })).to.equal(
        false,
      );
    });

  for (const name of [
    'forwarded',
    'via',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-real-ip',
  ])
    it(`no proxy on this machine that sends ${name}`, () =>
      expect(asked('127.0.0.1', { host, [name]: '127.0.0.1' })).to.equal(false));

  for (const name of ['service.example.com', 'localhost.example.com', '192.0.2.1:8080', ' ', 'a b'])
    it(`no proxy or page on this machine that asked for "${name}"`, () =>
      expect(asked('127.0.0.1', { host: name })).to.equal(false));

  it('any caller with the token, from anywhere and through any proxy', () => {
    const authorization = `Bearer ${token}`;
    expect(asked('192.0.2.1', { authorization })).to.equal(true);
    expect(asked('127.0.0.1', { authorization, 'x-forwarded-for': '192.0.2.1' })).to.equal(true);
  });

  it('no one by another token, nor by any if none is configured', () => {
    expect(asked('192.0.2.1', { authorization: `Bearer ${token}x` })).to.equal(false);
    expect(asked('192.0.2.1', { authorization: `Basic ${token}` })).to.equal(false);
    const request = { socket: {}, headers: { authorization: 'Bearer undefined' } };
    expect(isInsider(request as unknown as IncomingMessage, undefined)).to.equal(false);
  });
});
