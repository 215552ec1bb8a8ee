import { expect } from 'chai';
import { startAgents, type Agents } from '../testing/agents.ts';

/** Longer than the usual limit of an operation here. */
const ms = 300;

describe('an operation that takes longer by itself than the usual limit', () => {
  let agents: Agents;
  before(async () => {
    agents = await startAgents({ config: { OPERATION_TIMEOUT: 100 } });
  });
  after(() => agents.close());

  const driven = async () => {
    const { token } = await agents.side.staff.account('team');
    const { json } = await agents.side.call('POST /v1/sessions', { token, body: {} });
    const ask = (operation: string, body: object) =>
      agents.side.call(`POST /v1/sessions/${String(json.id)}/${operation}`, { token, body });
    const form = { url: 'http://sim.test/form', timeout_ms: 30_000 };
    expect((await ask('navigate', form)).status).to.equal(200);
    return ask;
  };

  it('has the time that it takes, and the usual limit beside it', async () => {
    const ask = await driven();
    for (const [operation, body] of [
      ['wait', { condition: { kind: 'delay', ms } }],
      ['interact', { action: { kind: 'long_press', selector: '#send', duration_ms: ms } }],
      ['interact', { action: { kind: 'type', selector: '#name', text: 'Ada', delay_ms: ms / 3 } }],
    ] as const) {
      const answer = await ask(operation, body);
      expect([answer.status, Number(answer.json.duration_ms) >= ms - 10], answer.text).to.deep.equal([
        200,
        true,
      ]);
    }
  });

  it('has no more than the request gives it', async () => {
    const ask = await driven();
    const condition = { kind: 'delay', ms };
    expect((await ask('wait', { condition, timeout_ms: ms / 3 })).status).to.equal(504);
    expect((await ask('wait', { condition })).status).to.equal(200);
  });

  it('has the usual limit where it only waits for the page', async () => {
    const ask = await driven();
    const url = 'http://sim.test/timeout';
    for (const [operation, body] of [
      ['wait', { condition: { kind: 'text', text: 'Nowhere' } }],
      ['navigate', { url }],
      ['login', { url, fields: {} }],
    ] as const) {
      const from = performance.now();
      expect((await ask(operation, body)).status, operation).to.equal(504);
      expect(performance.now() - from, operation).to.be.below(15_000);
    }
  });

  it('is carried out for an agent, too', async () => {
    const answer = await agents.message(await agents.open(), `wait ${ms / 1000} seconds`);
    expect([answer.status, answer.json.ok], answer.text).to.deep.equal([200, true]);
  });
});
