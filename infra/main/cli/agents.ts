import { Option } from 'commander';
import { agentSessionEvents, type AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import { streamOf } from '../../../contracts/events/catalogue.ts';
import { uuidOf, type AgentSessionId } from '../../../contracts/ids.ts';
import { agentStatuses, presentAgentSession } from '../../../contracts/resources/agent-session.ts';
import { agentSession } from '../../../domain/agent-session/agent-session.ts';
import { replay } from '../../../domain/agent-session/replay.ts';
import { exists, type ExistingAgentSession } from '../../../domain/agent-session/state.ts';
import {
  roundsOf,
  turnsOf,
  type RoundSummary,
  type TurnSummary,
} from '../../../domain/agent-session/turns.ts';
import { agentSessionsFor, type AgentSessionFilter } from '../../../projections/queries/agent-session.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { factTable, listAnswer, spaced, tableOf, toJson, type Answer } from './output.ts';
import { count, idOf } from './parse.ts';

/** `service agents …`: shows nothing of the conversations, which belong to the customer. */
export function agentCommands(program: ServiceCommand): void {
  const agents = program.command('agents').description('agent sessions: conversations about a browser');
  agents
    .command('list')
    .description('list agent sessions from the read model, newest first')
    .option('--account <id>', 'only those of this account', idOf('account'))
    .addOption(new Option('--status <status>', 'only those in this state').choices(agentStatuses))
    .option('--limit <agent sessions>', 'at most this many', count, 50)
    .operates('array', list);
  const onOne = (name: string, description: string) =>
    agents
      .command(name)
      .description(description)
      .argument('<agent session>', 'agt_<uuid>', idOf('agentSession'));
  onOne(
    'show',
    'show one from the event log: who controls it, its browser, its budget, its current turn',
  ).operates('object', show);
  onOne(
    'turns',
    'list its turns, oldest first: what made the plan, the numbers of rounds and intents, the outcome, the cost',
  )
    .option('--rounds', 'list the rounds of the turns instead: the decision, its outcome, the cost')
    .operates('array', turns);
  onOne(
    'replay',
    'run the rules again with the recorded decisions and outcomes, without a model or a browser; exit status 1 if the events differ from those in the log',
  ).operates('object', replayed);
}

const list = async ({ pool }: Operator, filter: AgentSessionFilter): Promise<Answer> =>
  listAnswer((await agentSessionsFor(pool, filter)).map(detailOf), 'There is no such agent session.', {
    'agent session': 'id',
    account: 'account_id',
    status: (row) => row.closed_reason ?? row.status,
    mode: (row) => row.pair_mode_state?.kind ?? row.mode,
    turn: (row) => row.turn?.phase,
    browser: (row) => row.browser?.session_id,
    'tokens left': 'token_budget_remaining',
    entries: 'transcript_length',
    updated: 'updated_at',
    error: (row) => row.error_event?.code,
  });

async function show({ runner }: Operator, id: AgentSessionId): Promise<Answer> {
  const { state } = await runner.load(agentSession, uuidOf(id));
  if (!exists(state)) throw new Error(`There is no agent session ${id}.`);
  const value = detailOf(state);
  return { value, lines: factTable(value, (name) => name) };
}

/** The owner's view, with internal fields. */
const detailOf = (state: ExistingAgentSession) => ({
  ...presentAgentSession(state),
  account_id: state.accountId,
  browser: state.browser && {
    session_id: state.browser.sessionId,
    origin: state.browser.origin,
    ended: state.browser.ended,
  },
  epoch: state.epoch,
  turn: state.turn && {
    turn_id: state.turn.turnId,
    phase: state.turn.phase,
    admitted_at: state.turn.admittedAt,
    lease_expires_at: state.turn.leaseExpiresAt,
    rounds: state.turn.rounds,
    steps: state.turn.settled,
  },
  challenge: state.challenge && {
    challenge_id: state.challenge.challengeId,
    resume_until: state.challenge.resumeUntil,
  },
});

async function turns(
  operator: Operator,
  id: AgentSessionId,
  { rounds = false }: { readonly rounds?: boolean },
): Promise<Answer> {
  const events = await eventsOf(operator, id);
  return rounds ? inTable(roundsOf(events).map(roundDetail)) : inTable(turnsOf(events).map(turnDetail));
}

function inTable(value: readonly Readonly<Record<string, unknown>>[]): Answer {
  const [first] = value;
  if (first === undefined) return { value, lines: ['The session has no turns.'] };
  const head = Object.keys(first).map(spaced);
  return { value, lines: tableOf([head, ...value.map((row) => Object.values(row).map(inCell))]) };
}

const inCell = (cell: unknown): unknown => (Array.isArray(cell) ? cell.join(', ') : cell);

const turnDetail = (turn: TurnSummary) => ({
  turn_id: turn.turnId,
  lane: turn.lane,
  admitted_at: turn.admittedAt,
  ended_at: turn.endedAt,
  end: turn.end,
  answer: turn.answer,
  decomposer_kind: turn.decomposerKind,
  rounds: turn.rounds,
  limit: turn.limit,
  intents: turn.intents,
  succeeded: turn.succeeded,
  tokens: turn.tokens,
  cost_cents: turn.costCents,
});

const roundDetail = (round: RoundSummary) => ({
  turn_id: round.turnId,
  round: round.round,
  decided_at: round.decidedAt,
  decision: round.decision,
  after: round.after,
  intents: round.intents,
  succeeded: round.succeeded,
  failed: round.failed,
  tokens: round.tokens,
  cost_cents: round.costCents,
});

async function replayed(operator: Operator, id: AgentSessionId): Promise<Answer> {
  const events = await eventsOf(operator, id);
  const difference = replay(events);
  const value = { agent_session_id: id, events: events.length, equal: difference === null, difference };
  if (difference === null)
    return { value, lines: [`The rules produce the ${events.length} events of the log.`] };
  const { revision, recorded, decided } = difference;
  const lines = [
    `The rules differ from the log at revision ${revision}.`,
    `log    ${toJson(recorded)}`,
    `rules  ${typeof decided === 'string' ? decided : toJson(decided)}`,
  ];
  return { value, lines, failed: true };
}

/** The upcast events, from the first one. */
async function eventsOf({ store }: Operator, id: AgentSessionId): Promise<readonly AgentSessionEvent[]> {
  const events: AgentSessionEvent[] = [];
  for await (const { type, data } of store.readStream(streamOf(agentSessionEvents, uuidOf(id)))) {
    events.push({ type, data } as AgentSessionEvent);
  }
  if (events.length === 0) throw new Error(`There is no agent session ${id}.`);
  return events;
}
