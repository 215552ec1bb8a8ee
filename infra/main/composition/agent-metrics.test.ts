import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import { toId, uuidOf } from '../../../contracts/ids.ts';
import { events, usage } from '../../../domain/agent-session/testing.ts';
import { anAccount, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { createMetrics } from '../../metrics/index.ts';
import { ProviderKeyRefused, ProviderUnavailable, type ModelCall } from '../../model/port.ts';
import { countingKeyRefusals } from './agent-metrics.ts';
import { projectionGauges } from './metrics.ts';

const accountId = anAccount();
const began = '2026-01-05T12:00:00.000Z';
const ended = '2026-01-05T12:00:03.000Z';
/** Problems of turns that the service fails, and of those that their callers have to mend. */
const ours = ['model-unavailable', 'driver-not-integrated', 'internal'] as const;
const callers = [
  'byok-llm-required',
  'bundled-llm-budget-exhausted',
  'concurrency-limit',
  'session-destroyed',
] as const;

describe('metrics of agent sessions', () => {
  let side: ReadSide;
  before(async () => {
    side = await startReadSide();
  });
  after(() => side.close());

  it('count turns by outcome and decomposer, with their tokens and durations', async () => {
    const metrics = createMetrics('test');
    const { observer } = projectionGauges(metrics, side.postgres.pool);
    side.project({ observer });
    const agentSessionId = toId('agentSession', randomUUID());
    const about = { agentSessionId, accountId };
    const turn = (...of: ((about: object) => AgentSessionEvent)[]) => {
      const turnId = randomUUID();
      const admitted = events.TurnAdmitted({ ...about, turnId, at: began });
      return [admitted, ...of.map((make) => make({ ...about, turnId, at: ended }))];
    };
    const byGrammar = { ...usage, decomposerKind: 'deterministic' } as const;
    const log = [
      events.AgentSessionCreated(about),
      ...turn(
        events.TurnDecomposed,
        (of) => events.TurnDecomposed({ ...of, round: 2, tokens: 60 }),
        (of) => events.TurnReadBack({ ...of, usage: byGrammar, tokens: 100 }),
        (of) => events.TurnSettled({ ...of, limit: 'circles' }),
      ),
      ...turn((of) => events.TurnDecomposed({ ...of, usage: byGrammar, tokens: 0 }), events.TurnSettled),
      ...[...ours, ...callers].flatMap((problem) => turn((of) => events.TurnFailed({ ...of, problem }))),
      ...turn(events.TurnDecomposed, events.TurnSuperseded),
      ...turn(events.TurnAbandoned),
      events.MessageLogged({ ...about, turnId: randomUUID() }),
    ];
    await side.append(`agent_session-${uuidOf(agentSessionId)}`, log, {
      ...by(accountId),
      schema_version: 2,
    });
    await side.caughtUp();
    const { text } = await metrics.page();
    const lines = text.split('\n').filter((line) => line.startsWith('service_agent_'));
    const value = (name: string, ...labels: string[]) =>
      lines
        .find((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
        ?.split(' ')[1];
    const turns = [
      ['settled', 'own_key', 1],
      ['settled', 'deterministic', 1],
      ['failed', 'none', ours.length],
      ['refused', 'none', callers.length],
      ['superseded', 'own_key', 1],
      ['abandoned', 'none', 1],
    ] as const;
    for (const [end, decomposer, count] of turns) {
      const labels = [`end="${end}"`, `decomposer="${decomposer}"`];
      expect(value('service_agent_turns_total', ...labels), end).to.equal(String(count));
      expect(value('service_agent_turn_duration_seconds_sum', ...labels), end).to.equal(String(3 * count));
    }
    expect(value('service_agent_turns_total', 'end="logged"')).to.equal('1');
    expect(value('service_agent_turn_duration_seconds_count', 'end="logged"')).to.equal(undefined);
    expect(value('service_agent_tokens_total', 'decomposer="own_key"')).to.equal('260');
    expect(value('service_agent_tokens_total', 'decomposer="deterministic"')).to.equal('100');
    const rounds = ['0', '1', '2'].map((count) =>
      value('service_agent_turn_rounds_total', `rounds="${count}"`),
    );
    expect(rounds).to.deep.equal([String(1 + ours.length + callers.length), '2', '1']);
    expect(value('service_agent_turn_limits_total', 'limit="circles"')).to.equal('1');
    expect(value('service_agent_rounds_total', 'round="first"')).to.equal('3');
    expect(value('service_agent_rounds_total', 'round="later"')).to.equal('1');
    expect(value('service_agent_round_tokens_total', 'round="later"')).to.equal('60');
  });
});

describe('refusals of a key by the model provider', () => {
  it('are counted of the service’s own key alone, from 0', async () => {
    const metrics = createMetrics('test');
    let failure: Error = new ProviderKeyRefused('no');
    const fails = () => Promise.reject(failure);
    const model = countingKeyRefusals(metrics, { decompose: fails, readBack: fails, fillIn: fails }, 'ours');
    const by = (apiKey: string) => ({ apiKey }) as ModelCall;
    const counted = async (called: Promise<unknown>) => {
      expect(await called.catch((thrown: unknown) => thrown)).to.equal(failure);
      return /^service_model_key_refusals_total\{.*\} (\d+)$/m.exec((await metrics.page()).text)?.[1];
    };
    expect(await counted(model.decompose(by('a customer’s')))).to.equal('0');
    expect(await counted(model.decompose(by('ours')))).to.equal('1');
    expect(await counted(model.readBack(by('ours')))).to.equal('2');
    failure = new ProviderKeyRefused('no', 'credit');
    expect(await counted(model.fillIn(by('ours'), undefined as never))).to.equal('3');
    failure = new ProviderUnavailable('down', 1);
    expect(await counted(model.decompose(by('ours')))).to.equal('3');
  });
});
