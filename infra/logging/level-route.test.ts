import { expect } from 'chai';
import { pino } from 'pino';
import { listen } from '../http/index.ts';
import { caller, errorsBase } from '../http/testing.ts';
import { createLevelRoute } from './level-route.ts';

const token = 'a-token-of-at-least-thirty-two-characters';

async function start(own: string | undefined) {
  const logger = pino({ level: 'silent' });
  const route = createLevelRoute({ logger, token: own, errorsBase });
  const { port, close } = await listen((request, response) => {
    route(request, response);
  }, 0);
  return { logger, close, call: caller(port) };
}

describe('the log level of a process', () => {
  it('is changed by its operator’s token, and by no other', async () => {
    const { logger, close, call } = await start(token);
    const body = { level: 'fatal' };
    const refused = await call('PUT /log-level', { token: `${token}x`, body });
    expect([refused.status, logger.level]).to.deep.equal([401, 'silent']);
    expect(refused.json.detail).to.contain('send OPERATOR_TOKEN');
    expect((await call('PUT /log-level', { token, body })).json).to.deep.equal(body);
    expect(logger.level).to.equal('fatal');
    await close();
  });

  it('is answered with the id of the request, and names its methods to any other', async () => {
    const { close, call } = await start(token);
    const headers = { 'x-request-id': 'my-request-1' };
    const [read, other] = [
      await call('GET /log-level', { token, headers }),
      await call('DELETE /log-level', { token, headers }),
    ];
    expect([read.status, read.headers['x-request-id']]).to.deep.equal([200, 'my-request-1']);
    expect([other.status, other.headers['x-request-id']]).to.deep.equal([405, 'my-request-1']);
    expect(other.headers.allow).to.equal('GET, PUT');
    await close();
  });

  it('is out of reach in a process without a token, which says so whatever it is sent', async () => {
    const { close, call } = await start(undefined);
    for (const presented of [token, 'undefined', null]) {
      const { status, json } = await call('GET /log-level', { token: presented });
      expect([status, json.detail]).to.deep.equal([
        401,
        'This process has no OPERATOR_TOKEN, so its log level can be neither read nor changed.',
      ]);
    }
    await close();
  });
});
