import { expect } from 'chai';
import type { Evidence, LogEvent } from '../evidence/index.ts';
import type { Exchange } from '../history.ts';
import { agentsDoOnce } from './n17-agents.ts';
import { account, done, event, inOrder, lives, sessionId, soundEvidence, uuid } from './testing/index.ts';

const agentSessionId = `agt_${uuid}`;
const turnId = '00000000-0000-4000-8000-0000000000d1';
const at = '2026-01-05T12:00:00.000Z';
const usage = {
  decomposerKind: 'own_key',
  model: 'a-model',
  inputTokens: 100,
  outputTokens: 20,
  costCents: 1,
};

/** Events as the decider makes them, without the fixture's additions. */
const of = (type: string, data: LogEvent['data'] = {}): LogEvent => ({
  ...event(type, { stream: `agent_session-${uuid}`, requestId: 'said' }),
  data: { agentSessionId, accountId: account, at, ...data },
});
const created = of('AgentSessionCreated', {
  mode: 'ai',
  model: 'a-model',
  tokenBudget: 1_000,
  createdBy: null,
  attached: null,
  profileId: null,
  proxyId: null,
  sealedStart: null,
  opensInitialUrl: false,
});
const admitted = of('TurnAdmitted', {
  turnId,
  entryIndex: 0,
  sealedMessage: 'sealed',
  epoch: 1,
  leaseExpiresAt: '2026-01-05T12:00:30.000Z',
});
const decomposed = of('TurnDecomposed', {
  turnId,
  decision: 'plan',
  intents: 1,
  round: 1,
  after: null,
  sealedPlan: 'sealed',
  usage,
  tokens: 120,
});
const spawned = of('DriverSessionSpawned', { turnId, sessionId });
const step = of('IntentSettled', {
  turnId,
  index: 0,
  outcome: 'success',
  category: null,
  sealedResult: 'sealed',
});
const settled = of('TurnSettled', {
  turnId,
  kind: 'plan-executed',
  ok: true,
  limit: null,
  entryIndex: 1,
  sealedAnswer: 'sealed',
});
const closed = of('AgentSessionClosed', { reason: 'customer-closed', epoch: 2 });
const whole = [created, admitted, decomposed, spawned, step, settled];

const operated = { action: 'operate', session_id: sessionId, dispatch_id: 'step' };
const said = (id: string, text: string, changes: Partial<Exchange> = {}): Exchange =>
  done(id, 'say', { key: 'k', text, ...changes });

interface Story extends Partial<Pick<Evidence, 'history' | 'driver'>> {
  readonly remaining?: number;
  readonly session?: readonly LogEvent[];
}

function found(events: readonly LogEvent[], story: Story = {}): string {
  const { remaining = 880, session = [], history = [said('said', 'done')], driver = [operated] } = story;
  const evidence = soundEvidence({ log: [...session, ...inOrder(...events)], history, driver });
  const agentSessions = [{ id: agentSessionId, token_budget_remaining: remaining }];
  return agentsDoOnce
    .violations({ ...evidence, tables: { ...evidence.tables, agentSessions } })
    .map(({ what }) => what)
    .join('; ');
}

describe('N17, about agent sessions', () => {
  it('accepts a turn that was admitted, carried out and settled', () => {
    expect(found(whole)).to.equal('');
    expect(found([...whole, closed])).to.equal('');
  });

  it('sees a turn that has no end, and one that has two', () => {
    expect(found(whole.slice(0, -1))).to.equal(`the turn ${turnId} has 0 ends`);
    expect(found([...whole, settled])).to.contain(`the turn ${turnId} has 2 ends`);
  });

  it('sees a gap in the transcript, and an index that comes twice', () => {
    for (const entryIndex of [0, 2]) {
      const wrong = { ...settled, data: { ...settled.data, entryIndex } };
      expect(found([...whole.slice(0, -1), wrong])).to.contain(
        `entry ${entryIndex} of the transcript comes where 1 is due`,
      );
    }
  });

  it('sees a budget that does not equal the budget before less the debits', () => {
    expect(found(whole, { remaining: 1_000 })).to.equal('its budget is 1000, not 880');
  });

  it('sees a step that reached a browser twice, unless its turn was lost, and one that was settled twice', () => {
    const driver = [operated, { ...operated, dispatch_id: 'again' }];
    expect(found(whole, { driver })).to.equal(
      '2 steps reached a browser, of 1 that were settled, 0 lost and 0 initial addresses',
    );
    const lost = of('TurnAbandoned', { turnId, phase: 'executing', entryIndex: 1 });
    expect(found([...whole.slice(0, -1), lost], { driver })).not.to.contain('reached a browser');
    expect(found([...whole.slice(0, -1), step, settled])).to.contain(
      `the step ${turnId} 0 was settled twice`,
    );
  });

  it('accepts the opening of an initial address beside the steps', () => {
    const driver = [operated, { ...operated, dispatch_id: 'initial' }];
    const opened = { ...of('InitialUrlOpened', { sessionId }) };
    const log = [{ ...created, data: { ...created.data, opensInitialUrl: true } }, ...whole.slice(1)];
    expect(found([...log.slice(0, 4), opened, ...log.slice(4)], { driver })).not.to.contain(
      'reached a browser',
    );
  });

  it('sees a browser that outlives the agent session which started it', () => {
    expect(found([...whole, closed], { session: lives() })).to.equal(`it is closed, and ${sessionId} lives`);
    expect(found(whole, { session: lives() })).to.equal('');
  });

  it('sees events that the decider would not make', () => {
    const wrong = { ...closed, data: { ...closed.data, epoch: 3 } };
    expect(found([...whole, wrong])).to.equal('the rules part from the log at revision 6');
  });

  it('sees one key with two turns, with none, and with two answers', () => {
    const again = said('again', 'done');
    const second = { ...of('MessageLogged', {}), requestId: 'again' };
    expect(found([...whole, second], { history: [said('said', 'done'), again] })).to.contain(
      'one key made 2 turns',
    );
    expect(found(whole, { history: [again] })).to.equal('an acknowledged message made no turn');
    const history = [said('said', 'done'), said('again', 'other')];
    expect(found(whole, { history })).to.equal('one key got several answers');
  });
});
