import { expect } from 'chai';
import { EventStoreUnavailable } from '../../infra/event-store/client/index.ts';
import { outcomeOf } from '../../infra/verification/security/whole-service.ts';
import { startAgents, type Agents } from '../testing/agents.ts';

describe('a message with an idempotency key whose event log goes away after its step', () => {
  /** Types of events that cannot be recorded. */
  const away = new Set<string>();
  let agents: Agents;
  before(async () => {
    agents = await startAgents({
      throughStore: (store) => ({
        ...store,
        async append(stream, expected, events) {
          if (events.some(({ type }) => away.has(type))) throw new EventStoreUnavailable('It is away.');
          return store.append(stream, expected, events);
        },
      }),
    });
  });
  after(() => agents.close());

  it('is answered as without the key, and the key stays open', async () => {
    const opened = await agents.open();
    const say = () => agents.message(opened, 'go to http://sim.test/', { 'idempotency-key': 'away' });
    for (const type of ['IntentSettled', 'ReceiptSettled']) away.add(type);
    const answer = await say();
    expect([answer.status, outcomeOf(answer), answer.headers['retry-after']]).to.deep.equal([
      ...[503, 'feature-unavailable'],
      undefined,
    ]);
    expect(answer.json.detail).to.match(/Check the page/);
    away.clear();
    const again = await say();
    expect([again.status, again.headers['retry-after']]).to.deep.equal([409, '1']);
    const { browser } = await agents.state(opened.id);
    expect(agents.operations(browser?.sessionId)).to.deep.equal(['navigate']);
  });
});
