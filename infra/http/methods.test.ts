import { Readable } from 'node:stream';
import { expect } from 'chai';
import { refuse } from '../../contracts/problems.ts';
import { routes, type Route } from '../../contracts/routes/index.ts';
import { errorsBase, startApi } from './testing.ts';

const table: readonly Route[] = routes;
const id = 'ses_33333333-3333-4333-8333-333333333333';
const at = (path: string) => path.replaceAll(/\{\w+\}/g, id);
const paths = [...new Set(table.map(({ path }) => path))];
const methodsOf = (path: string) => table.filter((route) => route.path === path).map(({ method }) => method);
/** The other GET routes of the write side ask a browser, or show the page of a link. */
const onlyRead = table.filter(
  ({ method, side, answersHead: isListed }) => method === 'GET' && (side === 'read' || isListed),
);
const answersHead = (path: string): boolean => onlyRead.some((route) => route.path === path);

describe('A known path', () => {
  let read: Awaited<ReturnType<typeof startApi<'read'>>>;
  let write: Awaited<ReturnType<typeof startApi<'write'>>>;
  before(async () => {
    [read, write] = await Promise.all([startApi('read'), startApi('write')]);
  });
  after(() => Promise.all([read.close(), write.close()]));

  /** The methods of a path, in any order. */
  const allowed = (path: string): string[] => {
    const methods: string[] = methodsOf(path);
    return [...methods, ...(answersHead(path) ? ['HEAD'] : []), 'OPTIONS'];
  };

  it('refuses another method with 405 and the supported ones, without requiring a credential', async () => {
    for (const path of paths) {
      for (const method of ['PUT', 'PATCH', 'TRACE', 'PROPFIND']) {
        if (allowed(path).includes(method)) continue;
        const { status, headers, json } = await read.call(`${method} ${at(path)}`, { token: null });
        expect([status, json.type, json.status], `${method} ${path}`).to.deep.equal([
          405,
          `${errorsBase}/method-not-allowed`,
          405,
        ]);
        expect(headers.allow?.split(', ')).to.have.members(allowed(path));
        expect(headers['content-type']).to.equal('application/problem+json');
      }
    }
  });

  it('is not mistaken for an id in another path', async () => {
    const { status, headers } = await write.call('DELETE /v1/team/invites/accept');
    expect([status, headers.allow]).to.deep.equal([405, 'POST, OPTIONS']);
  });

  it('answers OPTIONS with its methods, as 204 without a body', async () => {
    for (const path of paths) {
      const { status, headers, text } = await read.call(`OPTIONS ${at(path)}`, { token: null });
      expect([status, text], path).to.deep.equal([204, '']);
      expect(headers.allow?.split(', '), path).to.have.members(allowed(path));
      expect(headers).to.have.property('x-request-id');
      expect(headers).not.to.have.property('access-control-allow-origin');
    }
  });

  it('answers HEAD as GET, without the body', async () => {
    for (const { path, side } of onlyRead) {
      const { call } = side === 'read' ? read : write;
      const [got, head] = [await call(`GET ${at(path)}`), await call(`HEAD ${at(path)}`)];
      expect([head.status, head.text], path).to.deep.equal([got.status, '']);
      for (const name of ['content-type', 'ratelimit'])
        expect(head.headers[name], `${path} ${name}`).to.equal(got.headers[name]);
    }
    for (const path of ['links', 'recipe-suggestion'])
      expect(onlyRead.map((route) => route.path)).to.include(`/v1/agent-sessions/{id}/${path}`);
    const refused = await read.call('HEAD /v1/sessions', { token: null });
    expect([refused.status, refused.text]).to.deep.equal([401, '']);
  });

  it('does not read for HEAD what GET would stream', async () => {
    let pieces = 0;
    async function* endless() {
      for (;;) {
        pieces += 1;
        yield 'row\n';
      }
    }
    const api = await startApi('read', {
      handlers: { 'audit-log.export': { run: async () => ({ body: Readable.from(endless()) }) } },
    });
    const { status, text } = await api.call('HEAD /v1/account/audit-log/export');
    expect([status, text]).to.deep.equal([200, '']);
    expect(pieces).to.be.below(2);
    await api.close();
  });

  it('never claims a browser for HEAD', async () => {
    let claimed = false;
    const api = await startApi('write', {
      handlers: {
        'sessions.state': {
          run: async () => {
            claimed = true;
            throw refuse('conflict');
          },
        },
      },
    });
    const { status, headers } = await api.call(`HEAD /v1/sessions/${id}/state`);
    expect([status, headers.allow, claimed]).to.deep.equal([405, 'GET, OPTIONS', false]);
    await api.close();
  });

  it('is 404 on the side that does not serve it', async () => {
    expect((await write.call('GET /v1/sessions')).status).to.equal(404);
    expect((await read.call('POST /v1/sessions', { body: {} })).status).to.equal(404);
    expect((await write.call('HEAD /v1/sessions')).status).to.equal(404);
  });
});

describe('The pages outside the table', () => {
  let read: Awaited<ReturnType<typeof startApi<'read'>>>;
  before(async () => {
    read = await startApi('read');
  });
  after(() => read.close());
  const pages = ['/', '/openapi.json', '/reference', '/reference/start.js', '/reference/swagger-ui.css'];

  it('begin at the root, which redirects to the reference', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await read.call(`${method} /`, { token: null });
      expect([status, headers.location], method).to.deep.equal([302, '/reference']);
    }
  });

  it('are read-only', async () => {
    for (const path of pages) {
      const refused = await read.call(`POST ${path}`, { token: null, body: {} });
      expect([refused.status, refused.headers.allow], path).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
      const options = await read.call(`OPTIONS ${path}`, { token: null });
      expect([options.status, options.headers.allow, options.text]).to.deep.equal([
        204,
        'GET, HEAD, OPTIONS',
        '',
      ]);
      const head = await read.call(`HEAD ${path}`, { token: null });
      expect([head.status, head.text], path).to.deep.equal([path === '/' ? 302 : 200, '']);
    }
  });
});
