import { once } from 'node:events';
import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { uuidOf } from '../../../contracts/ids.ts';
import { aPerson } from '../../../write-api/testing/team.ts';
import { startDriver } from '../../fleet/webkit/testing/browser.ts';
import type { Answer } from '../../http/testing.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { oddPages } from './odd-pages.ts';
import { startWholeService, type WholeService } from './whole-service.ts';

describe('a page with unexpected content', function () {
  this.timeout(120_000);
  let service: WholeService;
  let url = '';
  let tokens: readonly [mine: string, other: string];
  let mine = '';
  let other = '';
  const server = createServer((request, reply) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const page = oddPages[Number(path.slice(1))]?.page;
    if (page === undefined)
      return void reply.writeHead(302, { location: `/redirects?${Number(query) + 1}` }).end();
    const body = `<!doctype html><title>odd</title><h1>here</h1>${page}`;
    reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
  });

  const call = async (target: string, body?: object, who: 0 | 1 = 0) =>
    service.call(target, { token: tokens[who], ...(body && { body }) });
  const open = async (who: 0 | 1) => String((await call('POST /v1/sessions', {}, who)).json.id);

  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const allow = parseAllowList('127.0.0.0/8');
    service = await startWholeService({ browsers: await startDriver(), allow });
    const people = [await aPerson(service), await aPerson(service)] as const;
    tokens = [people[0].token, people[1].token];
    other = await open(1);
  });
  /**
   * One session for all pages, and another one after a page that has ended it, so that pages do not affect each other.
   */
  beforeEach(async () => {
    const shown = await call(`GET /v1/sessions/${mine}`);
    if (shown.json.status !== 'ready') mine = await open(0);
  });
  after(async () => {
    await service.close();
    server.closeAllConnections();
    server.close();
  });

  /** The reason of a session's end is in its last events, and in no answer. */
  const explained = async ({ text }: Answer) => {
    const events = await service.events(`session-${uuidOf(mine)}`);
    return `${text.slice(0, 500)} after ${inspect(events.slice(-2))}`;
  };
  const agentSees = async (session: string) => {
    const opened = await call('POST /v1/agent-sessions', { service_session_id: session });
    const path = `/v1/agent-sessions/${String(opened.json.id)}`;
    const said = { user_message: 'take a screenshot' };
    const message = await call(`POST ${path}/message`, said);
    const reads = ['page-state', 'cookies', 'downloads', 'transcript', 'recipe-suggestion'];
    const answers = [];
    for (const read of reads) answers.push(await call(`GET ${path}/${read}`));
    await call(`DELETE ${path}`);
    return [message, ...answers].map(({ status }) => status);
  };

  for (const [index, { says, fails = 200 }] of oddPages.entries())
    it(`is a page like others where it ${says}, without an effect on the one beside it`, async () => {
      const shown = await call(`POST /v1/sessions/${mine}/navigate`, { url: `${url}/${index}` });
      expect(shown.status, await explained(shown)).to.equal(fails);
      const state = await call(`GET /v1/sessions/${mine}/state`);
      expect(state.status, await explained(state)).to.equal(200);
      const schema = { type: 'object', properties: { h: { type: 'string', 'x-selector': 'h1' } } };
      const read = await call(`POST /v1/sessions/${mine}/extract`, { schema });
      expect(read.json.data, await explained(read)).to.deep.equal({ h: 'here' });
      expect(await agentSees(mine)).to.deep.equal(Array(6).fill(200));
      const beside = { schema: { type: 'string', 'x-selector': 'body' }, timeout_ms: 10_000 };
      expect((await call(`POST /v1/sessions/${other}/extract`, beside, 1)).status).to.equal(200);
    });

  it('is applied to every read model', async () => {
    await service.caughtUp();
    const { rows } = await service.postgres.pool.query('select 1 from runtime.parked');
    expect(rows).to.deep.equal([]);
  });
});
