import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { createKeyTrial } from './key-trial.ts';

const key = 'sk-ant-api03-0123456789';

describe('a trial of a model-provider key', () => {
  const asked: IncomingMessage[] = [];
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const provider = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  let origin: string;
  before(async () => {
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  });
  after(() => {
    provider.closeAllConnections();
    provider.close();
  });
  beforeEach(() => void asked.splice(0));

  const guard = createOutboundGuard({ allow: parseAllowList('127.0.0.0/8') });
  const tried = (baseUrl = origin, options: object = {}) =>
    createKeyTrial({ guard, baseUrl, timeoutMs: 5000, ...options })(key);
  const status =
    (code: number, headers = {}) =>
    (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(code, headers).end('{}');

  it('asks for the list of models with the key in both of its headers', async () => {
    answer = status(200);
    expect(await tried(`${origin}/base`)).to.equal(null);
    const [{ method, url, headers } = {}] = asked;
    expect([method, url]).to.deep.equal(['GET', '/base/v1/models']);
    expect(headers).to.include({ 'x-api-key': key, authorization: `Bearer ${key}` });
    expect(headers).to.have.property('anthropic-version', '2023-06-01');
  });

  it('says that the key was rejected, or that the provider failed', async () => {
    for (const [code, failure] of [
      [401, 'rejected'],
      [403, 'rejected'],
      [429, 'provider_error'],
      [500, 'provider_error'],
    ] as const) {
      answer = status(code);
      expect(await tried(), String(code)).to.equal(failure);
    }
  });

  it('follows no redirect', async () => {
    answer = status(302, { location: `${origin}/elsewhere` });
    expect(await tried()).to.equal('provider_error');
    expect(asked).to.have.length(1);
  });

  it('waits so long and no longer, for an answer as for a name', async () => {
    answer = () => undefined;
    expect(await tried(origin, { timeoutMs: 100 })).to.equal('timeout');
    const lookup = () => new Promise<never>(() => undefined);
    const hanging = { guard: createOutboundGuard({ lookup }), timeoutMs: 100 };
    expect(await tried('https://provider.example', hanging)).to.equal('timeout');
  });

  it('does not wait for the end of an answer', async () => {
    answer = (_, response) => void response.writeHead(200).write('{');
    expect(await tried()).to.equal(null);
  });

  it('reports an unreachable provider, or an invalid answer', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    expect(await tried(`http://127.0.0.1:${port}`)).to.equal('unreachable');
    answer = (request) => void request.socket.end('nonsense\r\n\r\n');
    expect(await tried()).to.equal('unreachable');
  });

  it('goes to no address that is not allowed', async () => {
    answer = status(200);
    expect(await tried(origin, { guard: createOutboundGuard() })).to.equal('egress_blocked');
    const lookup = () => Promise.resolve(['10.0.0.1']);
    const inside = { guard: createOutboundGuard({ lookup }) };
    expect(await tried('https://provider.example', inside)).to.equal('egress_blocked');
    expect(asked).to.deep.equal([]);
  });
});
