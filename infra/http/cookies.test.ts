import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { hasSecureCookies } from '../../contracts/web-cookies.ts';
import {
  assertOwnOrigin,
  cookieOf,
  ownCookies,
  signInCookies,
  signOutCookies,
  unprefixedUntil,
} from './cookies.ts';
import { owner, startApi } from './testing.ts';

const asked = (headers: Record<string, string>) => ({ header: (name: string) => headers[name] });

describe('cookies of a web session', () => {
  const tokens = { accessToken: 'a', refreshToken: 'r', accessSeconds: 900, refreshSeconds: 2_592_000 };

  it('are hidden from scripts and other sites, and the refresh token is only sent to the sign-in routes', () => {
    expect(signInCookies(tokens, true)).to.deep.equal([
      '__Host-service_session=a; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Secure-service_refresh=r; Max-Age=2592000; Path=/v1/auth; HttpOnly; Secure; SameSite=Lax',
    ]);
  });

  it('are not Secure over plain HTTP on loopback, where browsers would not store them', () => {
    expect(signInCookies(tokens, false)).to.deep.equal([
      'service_session=a; Max-Age=900; Path=/; HttpOnly; SameSite=Lax',
      'service_refresh=r; Max-Age=2592000; Path=/v1/auth; HttpOnly; SameSite=Lax',
    ]);
    for (const url of ['http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:1'])
      expect(hasSecureCookies(url), url).to.equal(false);
    for (const url of ['https://localhost', 'https://service.example', 'http://service.example', undefined])
      expect(hasSecureCookies(url), url).to.equal(true);
  });

  it('are cleared at sign-out, under every accepted name', () => {
    const cleared = (name: string, path: string, secure: string) =>
      `${name}=; Max-Age=0; Path=${path}; HttpOnly;${secure} SameSite=Lax`;
    expect(signOutCookies(true)).to.deep.equal([
      cleared('__Host-service_session', '/', ' Secure;'),
      cleared('service_session', '/', ' Secure;'),
      cleared('__Secure-service_refresh', '/v1/auth', ' Secure;'),
      cleared('service_refresh', '/v1/auth', ' Secure;'),
    ]);
    expect(signOutCookies(false)).to.deep.equal([
      cleared('service_session', '/', ''),
      cleared('service_refresh', '/v1/auth', ''),
    ]);
  });

  it('are found among others', () => {
    expect(cookieOf(asked({ cookie: 'x=1; service_session=abc; y=2' }), 'session')).to.equal('abc');
    expect(cookieOf(asked({}), 'session')).to.equal(undefined);
  });

  it('are read by their prefixed names before any that a neighbouring host could have set', () => {
    const sent = 'service_session=planted; x=1; __Host-service_session=own; __Secure-service_refresh=r%201';
    expect(ownCookies(sent, true, unprefixedUntil - 1)).to.equal(
      'service_session=own; service_refresh=r%201',
    );
    expect(ownCookies('service_session=planted; x=1', true, unprefixedUntil)).to.equal(undefined);
    expect(ownCookies('__Host-service_session=', true, unprefixedUntil)).to.equal(undefined);
    expect(ownCookies(undefined, true, 0)).to.equal(undefined);
  });

  it('without a prefix, set by an earlier release, are accepted until all of them have expired', () => {
    const sent = 'service_session=a; service_refresh=r';
    expect(ownCookies(sent, true, unprefixedUntil - 1)).to.equal(sent);
    expect(ownCookies(sent, false, unprefixedUntil)).to.equal(sent);
  });

  const own = ['https://service.example'];
  const accepted = (headers: Record<string, string>): boolean => {
    try {
      assertOwnOrigin(asked({ host: '127.0.0.1:8080', ...headers }), own);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  };

  it('permit changes from a page of the service', () => {
    expect(accepted({ origin: 'https://service.example' })).to.equal(true);
    expect(accepted({ origin: 'http://127.0.0.1:8080' })).to.equal(true);
    expect(accepted({ 'sec-fetch-site': 'same-origin' })).to.equal(true);
    expect(accepted({ origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' })).to.equal(true);
  });

  it('permit changes from nowhere else', () => {
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: 'https://evil.example' },
      { origin: 'https://service.example.evil.example' },
      { origin: 'http://127.0.0.1:8081' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-site' },
      { origin: 'https://service.example', 'sec-fetch-site': 'same-site' },
      { origin: 'https://service.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ] as Record<string, string>[])
      expect(accepted(headers), JSON.stringify(headers)).to.equal(false);
  });
});

describe('a request with a cookie', () => {
  const fromCookie = async (request: { readonly header: (name: string) => string | undefined }) => {
    expect(cookieOf(request, 'session')).to.equal('token');
    return owner;
  };

  it('may change something only from a page of the service, and read from anywhere', async () => {
    const write = await startApi('write', { authenticate: fromCookie });
    const read = await startApi('read', { authenticate: fromCookie });
    const cookie = { cookie: '__Host-service_session=token' };
    const create = (headers: object) =>
      write.call('POST /v1/sessions', { token: null, body: {}, headers: { ...cookie, ...headers } });
    expect((await create({})).status).to.equal(403);
    expect((await create({ origin: 'https://evil.example' })).status).to.equal(403);
    expect(
      (await create({ origin: `http://127.0.0.1:${write.port}`, host: `127.0.0.1:${write.port}` })).status,
    ).to.equal(201);
    expect((await read.call('GET /v1/account/me', { token: null, headers: cookie })).status).to.equal(200);
  });
});
