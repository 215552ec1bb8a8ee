import { expect } from 'chai';
import { refuse } from '../../contracts/problems.ts';
import { examples } from '../../contracts/openapi/examples.ts';
import { startApi } from './testing.ts';
import type { Handlers, Identity, Reply } from './index.ts';

const session = examples['sessions.create']?.response;
const id = 'ses_33333333-3333-4333-8333-333333333333';

describe('Checked replies', () => {
  let reply: () => Reply;
  let api: Awaited<ReturnType<typeof startApi<'write'>>>;
  const handler: Handlers<'write', Identity>['sessions.create'] = { run: async () => reply() };
  before(async () => {
    api = await startApi('write', {
      checkReplies: true,
      handlers: { 'sessions.create': handler, 'sessions.destroy': { run: async () => reply() } },
    });
  });
  after(() => api.close());
  const answer = async (one: Reply) => {
    reply = () => one;
    const { status, json } = await api.call('POST /v1/sessions');
    return [status, json.detail];
  };

  it('pass when they match their schema', async () => {
    expect((await answer({ body: session }))[0]).to.equal(201);
    reply = () => ({});
    expect((await api.call(`DELETE /v1/sessions/${id}`)).status).to.equal(204);
  });

  it('fail loudly when a field is missing, wrong or not declared', async () => {
    for (const broken of [{}, { status: 'sleeping' }, { secret: 1 }]) {
      const [status, detail] = await answer({
        body: Object.keys(broken).length > 0 ? { ...Object(session), ...broken } : broken,
      });
      expect(status).to.equal(500);
      expect(detail).to.contain('201 answer of sessions.create breaks its schema');
    }
  });

  it('fail when a status or a body is not in the document', async () => {
    expect((await answer({ status: 202, body: session }))[0]).to.equal(500);
    expect((await answer({ body: null }))[0]).to.equal(500);
    reply = () => ({ body: session });
    expect((await api.call(`DELETE /v1/sessions/${id}`)).status).to.equal(500);
  });

  it('validate problems, too', async () => {
    const refusing = async (...refusal: Parameters<typeof refuse>) => {
      reply = () => {
        throw refuse(...refusal);
      };
      return (await api.call('POST /v1/sessions')).status;
    };
    expect(await refusing('concurrency-limit', 'Full.', { current_sessions: 3, limit: 3 })).to.equal(429);
    expect(await refusing('concurrency-limit')).to.equal(500);
    expect(await refusing('conflict', 'Busy.', { phase: 'executing' })).to.equal(409);
    expect(await refusing('conflict', 'Busy.', { undocumented: 1 })).to.equal(500);
    expect(await refusing('email-already-registered')).to.equal(500);
  });
});
