import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { cookieName, hasSecureCookies, webCookies, type WebCookie } from '../../contracts/web-cookies.ts';
import {
  assertOwnOrigin,
  cookieOf,
  earlierNamesUntil,
  ownCookies,
  signInCookies,
  signOutCookies,
} from './cookies.ts';
import { owner, startApi } from './testing.ts';

const asked = (headers: Record<string, string>) => ({ header: (name: string) => headers[name] });

describe('cookies of a web session', () => {
  const tokens = { accessToken: 'a', refreshToken: 'r', accessSeconds: 900, refreshSeconds: 2_592_000 };

  const cleared = (name: string, path: string, secure: string) =>
    `${name}=; Max-Age=0; Path=${path}; HttpOnly;${secure} SameSite=Lax`;
  const earlierCleared = [
    cleared('service_session', '/', ' Secure;'),
    cleared('__Secure-service_refresh', '/v1/auth', ' Secure;'),
    cleared('service_refresh', '/v1/auth', ' Secure;'),
  ];

  it('are hidden from scripts and other sites, and a sign-in clears those of earlier releases', () => {
    expect(signInCookies(tokens, true)).to.deep.equal([
      '__Host-service_session=a; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Host-service_refresh=r; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax',
      ...earlierCleared,
    ]);
  });

  it('have names over https that browsers accept from no neighbouring host', () => {
    for (const cookie of Object.keys(webCookies) as WebCookie[])
      expect(cookieName(cookie, true)).to.match(/^__Host-/);
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
    expect(signOutCookies(true)).to.deep.equal([
      cleared('__Host-service_session', '/', ' Secure;'),
      cleared('__Host-service_refresh', '/', ' Secure;'),
      ...earlierCleared,
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
    const sent = 'service_session=planted; x=1; __Host-service_session=own; __Host-service_refresh=r%201';
    expect(ownCookies(sent, true, earlierNamesUntil - 1)).to.equal(
      'service_session=own; service_refresh=r%201',
    );
    expect(ownCookies('service_session=planted; x=1', true, earlierNamesUntil)).to.equal(undefined);
    expect(ownCookies('__Host-service_session=', true, earlierNamesUntil)).to.equal(undefined);
    expect(ownCookies(undefined, true, 0)).to.equal(undefined);
  });

  it('are not read from what a neighbouring host has set beside them', () => {
    const planted = '__Secure-service_refresh=planted';
    const read = (sent: string) => ownCookies(sent, true, earlierNamesUntil - 1);
    for (const sent of [`${planted}; __Host-service_refresh=own`, `__Host-service_refresh=own; ${planted}`])
      expect(read(sent), sent).to.equal('service_refresh=own');
    for (const sent of [
      `${planted}; __Secure-service_refresh=own`,
      `${planted}; __Secure-service_refresh=own; service_refresh=older`,
      `${planted} ;\t__Secure-service_refresh =own`,
      `${planted}; __Host-service_refresh=`,
      'service_refresh=planted; service_refresh=own',
    ])
      expect(read(sent), sent).to.equal(undefined);
  });

  it('set by an earlier release are accepted until all of them have expired', () => {
    const sent = 'service_session=a; service_refresh=r';
    const prefixed = 'service_refresh=old; __Secure-service_refresh=r; service_session=a';
    for (const each of [sent, prefixed]) {
      expect(ownCookies(each, true, earlierNamesUntil - 1), each).to.equal(sent);
      expect(ownCookies(each, true, earlierNamesUntil), each).to.equal(undefined);
    }
    expect(ownCookies(sent, false, earlierNamesUntil)).to.equal(sent);
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
    await using write = await startApi('write', { authenticate: fromCookie });
    await using read = await startApi('read', { authenticate: fromCookie });
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

  it('that refreshes a sign-in is checked by the routes that read it, and ignored by others', async () => {
    await using write = await startApi('write');
    const headers = { cookie: '__Host-service_refresh=token', origin: 'https://evil.example' };
    const status = async (route: string, body: object) =>
      (await write.call(route, { token: null, body, headers })).status;
    expect(await status('POST /v1/auth/logout', {})).to.equal(403);
    expect(await status('POST /v1/agent-session-links/open', { token: 'token' })).to.equal(200);
  });
});
