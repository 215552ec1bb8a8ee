import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { guarded, idKindOf, namesId, lists, pathOf, soundBodies, targetOf, withBody } from './attacks.ts';
import type { Route } from '../../../contracts/routes/index.ts';
import { controlRoutes } from '../../../contracts/fleet/protocol.ts';
import { makeAgentSession, makeSubject } from './subjects.ts';
import { outcomeOf, startWholeService, type WholeService } from './whole-service.ts';

const mebibyte = 1024 * 1024;

/** The same value with each of its strings in turn replaced by `text`. */
function withText(value: unknown, text: string): unknown[] {
  if (typeof value === 'string') return [text];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    withText(item, text).map((other) => ({ ...value, [key]: other })),
  );
}

describe('hostile requests', () => {
  let service: WholeService;
  let token: string;
  let sessionId: string;
  let webhookId: string;
  let agentSessionId: string;
  before(async () => {
    service = await startWholeService();
    const account = await service.staff.account('enterprise');
    ({ token } = account);
    agentSessionId = await makeAgentSession(service, account);
    sessionId = await makeSubject(service, { token }, 'session');
    webhookId = await makeSubject(service, { token }, 'webhook');
  });
  after(() => service.close());

  const post = (routeId: string, body: unknown, headers = {}) => {
    const route = withBody.find(({ id }) => id === routeId);
    if (route === undefined) throw new Error(`There is no ${routeId}.`);
    const id = namesId(route) && idKindOf(route) === 'webhook' ? webhookId : sessionId;
    return service.call(targetOf(route, id), { token, body, headers });
  };
  const attacked = withBody.filter(({ path }) => /^\/v1\/(sessions\/|webhooks)/.test(path));

  for (const { id, bodyBytes = mebibyte } of attacked) {
    it(`have no effect at ${id}: text that cannot be stored, too much, too deep, of another type`, async () => {
      const before = [await service.store.head(), service.driverLog().length];
      const broken = ['\0', 'a\ud800', '\udc00b'].flatMap((text) => withText(soundBodies[id], text));
      expect(broken).not.to.be.empty;
      for (const body of broken) expect((await post(id, body)).status, JSON.stringify(body)).to.equal(400);
      const sound = JSON.stringify(soundBodies[id]);
      const inside = (member: string) => sound.replace(/^\{/, `{${member},`);
      expect(outcomeOf(await post(id, inside(`"x":${'['.repeat(100_000)}${']'.repeat(100_000)}`)))).to.equal(
        'validation-failed',
      );
      expect(outcomeOf(await post(id, inside(`"x":"${'x'.repeat(bodyBytes)}"`)))).to.equal('bad-request');
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=utf-7',
        '*/*',
      ])
        expect(outcomeOf(await post(id, sound, { 'content-type': type })), type).to.equal('bad-request');
      expect([await service.store.head(), service.driverLog().length]).to.deep.equal(before);
    });
  }

  it('with ten thousand fields, or names that no header can carry, are answered as without them', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_each, index) => [`field ${index}`, index]),
    );
    const names = { 'a\r\nSet-Cookie: a=b': 1, 'é,ü': 1, '😀': 1, __proto: 1, constructor: 1, toString: 1 };
    for (const extra of [many, names]) {
      const answer = await post('sessions.wait', { ...soundBodies['sessions.wait'], ...extra });
      expect(answer.status).to.equal(200);
      expect(answer.headers).not.to.have.property('set-cookie');
      expect(answer.headers['x-service-unknown-fields']).to.match(/^[\w.!~*'()%,-]+$/);
    }
    const body =
      '{"__proto__":{"condition":{"kind":"delay","ms":0}},"constructor":{"prototype":{"admin":1}}}';
    expect(outcomeOf(await post('sessions.wait', body))).to.equal('validation-failed');
    expect({}).not.to.have.property('admin');
  });

  it('with duplicate members mean the last of them, for the checks and for the browser', async () => {
    const body = '{"condition":{"kind":"delay","ms":0},"condition":{"kind":"delay","ms":60001}}';
    expect(outcomeOf(await post('sessions.wait', body))).to.equal('validation-failed');
  });

  it('with methods that a path does not allow get 405 with Allow', async () => {
    for (const route of guarded) {
      for (const method of ['TRACE', 'PUT', 'PATCH', 'PROPFIND', 'QUERY']) {
        if (guarded.some((other) => other.path === route.path && other.method === method)) continue;
        const answer = await service.call(`${method} ${pathOf(route, sessionId)}`, { token });
        expect(
          [answer.status, answer.headers.allow?.includes(route.method)],
          `${method} ${route.path}`,
        ).to.deep.equal([405, true]);
        expect(answer.headers).not.to.have.any.keys('x-powered-by', 'access-control-allow-origin');
      }
    }
  });

  it('with HEAD or OPTIONS are answered through the gateway as by the side that serves the path', async () => {
    const session = `/v1/sessions/${sessionId}`;
    const head = await service.call(`HEAD ${session}`, { token });
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect((await service.call(`HEAD ${session}/state`, { token })).status).to.equal(405);
    for (const path of ['links', 'recipe-suggestion']) {
      const listed = await service.call(`HEAD /v1/agent-sessions/${agentSessionId}/${path}`, { token });
      expect([listed.status, listed.text], path).to.deep.equal([200, '']);
    }
    const options = await service.call(`OPTIONS ${session}`, { token: null });
    expect([options.status, options.headers.allow]).to.deep.equal([204, 'GET, HEAD, DELETE, OPTIONS']);
    const root = await service.call('GET /', { token: null });
    expect([root.status, root.headers.location]).to.deep.equal([302, '/reference']);
  });

  it('get the names of ignored fields in the reply of every write, even one that declares no field', async () => {
    const target = `POST /v1/webhooks/${webhookId}/test`;
    const ping = await service.call(target, { token, body: { extra: 1, other: 2 } });
    expect([ping.status, ping.headers['x-service-unknown-fields']]).to.deep.equal([202, 'extra,other']);
    const again = await service.call(`POST /v1/webhooks/${webhookId}/rotate-secret`, {
      token,
      body: { grace: '1h' },
    });
    expect([again.status, again.headers['x-service-unknown-fields']]).to.deep.equal([200, 'grace']);
  });

  it('do not reach routes of nodes and operators through the address of clients', async () => {
    for (const target of [...Object.values(controlRoutes), 'GET /v1/admin', 'GET /metrics']) {
      const { status } = await service.call(target, {
        token,
        ...(target.startsWith('POST') && { body: {} }),
      });
      expect(status, target).to.equal(404);
    }
  });

  it('get their own request id only if it is harmless', async () => {
    for (const id of ['short', 'with space', 'x'.repeat(129), '<script>', 'a%0d%0ab:c', 'é'.repeat(9)]) {
      const { headers } = await service.call('GET /v1/archetypes', {
        token,
        headers: { 'X-Request-Id': id },
      });
      expect(headers['x-request-id'], id).to.match(/^req_/);
    }
  });

  const listed = (route: Route) => (route.path.startsWith('/v1/agent-') ? agentSessionId : webhookId);

  it('for more than a page are refused', async () => {
    // What is below a missing resource is not found, regardless of the query: histories, and snapshots of a profile.
    for (const route of lists.filter(({ id }) => !/\.past$|^profile-snapshots\.list-of/.test(id))) {
      for (const query of ['limit=10001', 'limit=0', 'limit=-1', 'limit=NaN', `cursor=${'A'.repeat(8_000)}`])
        expect(
          (await service.call(`${targetOf(route, listed(route))}?${query}`, { token })).status,
          query,
        ).to.equal(400);
    }
  });

  it('that are large or never end do not delay those of others', async () => {
    const slow = await Promise.all(
      Array.from({ length: 50 }, (_each, index) => halfRequest(service.port, index)),
    );
    const large = { ...soundBodies['sessions.wait'], metadata: 'x'.repeat(900_000) };
    const hostile = Array.from({ length: 20 }, () => post('sessions.create', { ...large, label: 5 }));
    const startedAt = performance.now();
    const { status } = await service.call('GET /v1/sessions', { token });
    expect(status).to.equal(200);
    // Twenty of them cost about 100 ms; this rules out a request that waits for all earlier ones.
    expect(performance.now() - startedAt).to.be.below(5_000);
    expect(new Set((await Promise.all(hostile)).map((answer) => answer.status))).to.deep.equal(
      new Set([400]),
    );
    for (const socket of slow) socket.destroy();
  });
});

/** A connection whose request breaks off in its head or in its body. */
async function halfRequest(port: number, index: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  const head = 'POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  socket.write(index % 2 === 0 ? head : `${head}Content-Length: 1000\r\n\r\n{"label":`);
  return socket;
}
