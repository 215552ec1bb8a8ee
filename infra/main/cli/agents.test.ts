import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { agentSessionEvents, type AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import { toId, uuidOf, type AgentSessionId } from '../../../contracts/ids.ts';
import { agentSession } from '../../../domain/agent-session/agent-session.ts';
import type { AgentSessionCommand } from '../../../domain/agent-session/commands.ts';
import type { AgentSession } from '../../../domain/agent-session/state.ts';
import {
  clientId,
  commands,
  events,
  failure,
  leaseExpiresAt,
  sessionId,
  uuid,
} from '../../../domain/agent-session/testing.ts';
import { anAccount, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from './testing.ts';

type Row = Readonly<Record<string, unknown>>;

const accountId = anAccount();
const anAgent = () => toId('agentSession', randomUUID());
const on = (day: number) => `2026-01-0${day}T00:00:00.000Z`;

/** The events of these commands on one agent session of the account. */
function logOf(id: AgentSessionId, ...given: readonly AgentSessionCommand[]): readonly AgentSessionEvent[] {
  let state: AgentSession = agentSession.initialState;
  return given.flatMap((command) => {
    const decided = agentSession.decide(command, state);
    state = decided.reduce(agentSession.evolve, state);
    return decided;
  });
}

describe('the operator’s commands on agent sessions', () => {
  // The first command may have to bundle the sources.
  let side: ReadSide;
  let environment: ReturnType<typeof operatorOf>;
  const [eventful, driven, closed, bent, errand] = [anAgent(), anAgent(), anAgent(), anAgent(), anAgent()];

  const create = (id: AgentSessionId, day: number, more = {}) =>
    commands.CreateAgentSession({ agentSessionId: id, accountId, at: on(day), ...more });
  const record = async (id: AgentSessionId, log: readonly AgentSessionEvent[]) => {
    for (const event of log) {
      const schema_version = agentSessionEvents.versions[event.type] ?? 1;
      await side.append(`agent_session-${uuidOf(id)}`, [event], { ...by(accountId), schema_version });
    }
  };
  const service = async (...args: string[]) => {
    const { status, stdout, stderr } = await runService(['agents', ...args], environment);
    return { status, stdout, stderr };
  };
  const answered = async <T = Row>(...args: string[]): Promise<T> => {
    const { status, stdout, stderr } = await service(...args, '--json');
    expect(status, stderr).to.equal(0);
    return JSON.parse(stdout) as T;
  };

  /** A turn of three rounds, one with a failure, that settles with a question. */
  const overRounds = (id: AgentSessionId) => {
    const [turnId, decide] = [uuid(20), commands.RecordDecomposition];
    return logOf(
      id,
      create(id, 5),
      commands.AdmitMessage({ turnId, asksModel: true }),
      decide({ turnId, intents: 1, after: 'look', sealedMessage: 'sealed' }),
      commands.SpawnDriverSession({ turnId }),
      commands.SettleIntent({ turnId }),
      decide({ turnId, round: 2, intents: 3 }),
      commands.SettleIntent({ turnId, index: 1 }),
      commands.SettleIntent({ turnId, index: 2, outcome: 'failure', category: 'element_not_found' }),
      decide({ turnId, round: 3, decision: 'clarify', intents: 0, after: null }),
      commands.SettleTurn({ turnId, ok: false }),
    );
  };

  /** A message that is withheld at first; then one that fails, one that is abandoned and one that is superseded. */
  const everyEnd = (id: AgentSessionId) => {
    const [withheld, failed, lost, overtaken] = [uuid(10), uuid(11), uuid(12), uuid(13)];
    return logOf(
      id,
      create(id, 1),
      commands.AdmitMessage({ turnId: withheld, asksModel: true }),
      commands.RecordDecomposition({ turnId: withheld, intents: 1, sealedMessage: 'sealed' }),
      commands.SpawnDriverSession({ turnId: withheld }),
      commands.SettleIntent({ turnId: withheld }),
      commands.SettleTurn({ turnId: withheld }),
      commands.AdmitMessage({ turnId: failed }),
      commands.FailTurn({ turnId: failed, failure }),
      commands.AdmitMessage({ turnId: lost }),
      commands.AbandonTurn(),
      commands.AdmitMessage({ turnId: overtaken }),
      commands.ChangeMode({ mode: 'manual' }),
      commands.ContinueTurn({ turnId: overtaken }),
    );
  };

  before(async () => {
    side = await startReadSide();
    side.project();
    environment = operatorOf(side);
    await record(eventful, everyEnd(eventful));
    await record(
      driven,
      logOf(
        driven,
        create(driven, 2, { mode: 'pair', attached: sessionId }),
        commands.Pause(),
        commands.RequestResume(),
        commands.Resume(),
        commands.AdmitMessage(),
        commands.TakeOver(),
      ),
    );
    await record(errand, overRounds(errand));
    await record(closed, logOf(closed, create(closed, 3), commands.Close()));
    const about = { agentSessionId: bent, accountId };
    const [created] = logOf(bent, create(bent, 4));
    if (created === undefined) throw new Error('Nothing was created.');
    // No rule numbers an entry like this.
    await record(bent, [created, events.TurnAdmitted({ ...about, entryIndex: 7 })]);
    await side.caughtUp();
  });
  after(() => side.close());

  it('list them by account and state, newest first, with who controls them and their current turns', async () => {
    const [all, active, others] = await Promise.all([
      answered<Row[]>('list', '--account', accountId),
      answered<Row[]>('list', '--status', 'active'),
      answered<Row[]>('list', '--account', anAccount()),
    ]);
    expect(all.map(({ id }) => id)).to.deep.equal([errand, bent, closed, driven, eventful]);
    expect(active.map(({ id }) => id)).to.deep.equal([errand, bent, driven, eventful]);
    expect(others).to.deep.equal([]);
    expect(all[2]).to.deep.include({ status: 'closed', closed_reason: 'customer-closed' });
    expect(all[3]).to.deep.include({ account_id: accountId, mode: 'pair', challenge: null });
    expect(all[3]?.pair_mode_state).to.deep.include({
      kind: 'takeover-queued',
      requestedByClientId: clientId,
    });
  });

  it('list at most as many as requested, in a table for people', async () => {
    const { stdout } = await service('list', '--limit', '2');
    const [head, newest, row, ...more] = stdout.trimEnd().split('\n');
    expect(head).to.match(/^agent session +account +status +mode +turn +browser +tokens left/);
    expect(newest).to.contain(errand);
    expect(row).to.contain(bent).and.to.contain('decomposing');
    expect(more).to.deep.equal([]);
    expect((await service('list', '--account', anAccount())).stdout).to.equal(
      'There is no such agent session.\n',
    );
    expect((await service('list', '--status', 'open')).status).to.equal(1);
  });

  it('show one with its browser, its epoch, its current turn and its last error', async () => {
    const [shown, failed] = await Promise.all([answered('show', driven), answered('show', eventful)]);
    expect(shown).to.deep.include({
      ...{ id: driven, account_id: accountId, status: 'active', transcript_length: 1, challenge: null },
      browser: { session_id: sessionId, origin: 'attached', ended: false },
      turn: {
        turn_id: events.TurnAdmitted().data.turnId,
        phase: 'decomposing',
        admitted_at: events.TurnAdmitted().data.at,
        lease_expires_at: leaseExpiresAt,
        rounds: 0,
        steps: 0,
      },
    });
    expect(failed).to.deep.include({ turn: null, mode: 'manual', token_budget_remaining: 900 });
    expect(failed.error_event).to.include({ code: 'turn_lost', retryable: false });
    const { stdout } = await service('show', eventful);
    expect(stdout)
      .to.match(/^id +agt_/)
      .and.to.match(/^error_event +.*code turn_lost/m);
  });

  it('show the turns of one with decomposer, outcome and cost', async () => {
    const turns = await answered<Row[]>('turns', eventful);
    expect(turns.map(({ end, answer, tokens }) => [end, answer, tokens])).to.deep.equal([
      ['settled', 'plan-executed', 100],
      ['failed', 'byok-llm-required', 0],
      ['abandoned', null, 0],
      ['superseded', 'mode', 0],
    ]);
    expect(turns[0]).to.include({ lane: 'ai', decomposer_kind: 'own_key', intents: 1, succeeded: 1 });
    expect(turns[0]).to.include({ rounds: 1, limit: null });
    const { stdout } = await service('turns', eventful);
    expect(stdout.split('\n')[0]).to.match(/^turn id +lane +admitted at +ended at +end +answer/);
    expect((await service('turns', closed)).stdout).to.equal('The session has no turns.\n');
  });

  it('show the rounds of a turn, each with its outcome, and replay them', async () => {
    const [turn] = await answered<Row[]>('turns', errand);
    expect(turn).to.include({ answer: 'plan-executed', rounds: 3, intents: 4, succeeded: 2, tokens: 300 });
    const rounds = await answered<Row[]>('turns', errand, '--rounds');
    expect(rounds.map(({ round, decision, after }) => [round, decision, after])).to.deep.equal([
      [1, 'plan', 'look'],
      [2, 'plan', 'done'],
      [3, 'clarify', null],
    ]);
    expect(rounds[1]).to.deep.include({ intents: 3, succeeded: 1, failed: ['element_not_found'] });
    expect(rounds[1]).to.include({ turn_id: uuid(20), tokens: 100, cost_cents: 1 });
    const { stdout } = await service('turns', errand, '--rounds');
    expect(stdout).to.match(/^turn id +round +decided at +decision +after +intents +succeeded +failed/);
    expect(stdout).to.contain('element_not_found').and.not.to.contain('sealed');
    expect((await service('turns', closed, '--rounds')).stdout).to.equal('The session has no turns.\n');
    expect(await answered('replay', errand)).to.include({ equal: true });
    expect(await answered('show', errand)).to.deep.include({ turn: null });
  });

  it('never show text of the conversation', async () => {
    for (const command of ['show', 'turns', 'replay'])
      expect((await service(command, eventful)).stdout).not.to.contain('sealed');
    expect((await service('list')).stdout).not.to.contain('sealed');
  });

  it('replay one, and report that the rules produce its log', async () => {
    const log = everyEnd(eventful);
    expect(new Set(log.map(({ type }) => type))).to.include.all.keys(
      ...['MessageRecorded', 'TurnFailed', 'ErrorRaised', 'TurnAbandoned', 'TurnSuperseded'],
    );
    expect(await answered('replay', eventful)).to.deep.equal({
      ...{ agent_session_id: eventful, events: log.length, equal: true, difference: null },
    });
    const { status, stdout } = await service('replay', driven);
    expect([status, stdout]).to.deep.equal([0, 'The rules produce the 6 events of the log.\n']);
  });

  it('replay one whose log the rules would not have written, show the first difference, and exit with 1', async () => {
    const { status, stdout } = await service('replay', bent, '--json');
    expect(status).to.equal(1);
    const { equal, difference } = JSON.parse(stdout) as Row & { readonly difference: Row };
    expect(equal).to.equal(false);
    expect(difference).to.deep.include({ revision: 1 });
    expect(difference.decided).to.have.nested.property('data.entryIndex', 0);
    const lines = (await service('replay', bent)).stdout.trimEnd().split('\n');
    expect(lines[0]).to.equal('The rules differ from the log at revision 1.');
    expect(lines[1]).to.match(/^log +.*"entryIndex":7/);
    expect(lines[2]).to.match(/^rules +.*"entryIndex":0/);
  });

  it('report an unknown agent session, and an invalid id', async () => {
    const missing = await Promise.all(
      ['show', 'turns', 'replay'].map((command) => service(command, anAgent())),
    );
    for (const { status, stderr } of missing) {
      expect(stderr).to.match(/^There is no agent session agt_/);
      expect(status).to.equal(1);
    }
    const wrong = await service('show', 'mine');
    expect(wrong.stderr).to.contain('agt_<uuid>');
    expect(wrong.status).to.equal(1);
  });
});
