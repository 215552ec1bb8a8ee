import type { AgentSessionEvent } from '../../../../contracts/events/agent-session.ts';
import { replay } from '../../../../domain/agent-session/replay.ts';
import { byStream, field, grouped, type Evidence, type LogEvent } from '../evidence/index.ts';
import type { Invariant, Violation } from './invariant.ts';
import { isLive, lifeOf } from './session-life.ts';

export const agentsDoOnce: Invariant = {
  id: 'N17',
  holds:
    'Each turn of an agent session ends exactly once, and each of its steps reaches a browser once at most. Transcripts have no gap, budgets fall by what was debited, a closed agent session keeps no browser that it started, and the rules come to the log’s events when they are given it again. One key makes one turn, with one answer.',
  judged:
    'the raw streams of agent sessions against the driver’s log, the raw session streams and the table of agent sessions; answers by their keys',
  violations: (evidence) => {
    const sessions = byStream(evidence.log, 'session');
    return [
      ...[...byStream(evidence.log, 'agent_session')].flatMap(([stream, events]) => [
        ...[
          ...turns(events),
          ...entries(events),
          ...budget(evidence, events),
          ...dispatches(evidence, events),
          ...browsers(sessions, events),
          ...replayed(events),
        ].map((what) => ({ what, stream })),
      ]),
      ...keys(evidence),
    ];
  },
};

/** A deliberate second copy. */
const ends = ['TurnSettled', 'TurnFailed', 'TurnSuperseded', 'TurnAbandoned'];

function turns(events: readonly LogEvent[]): string[] {
  const ended = grouped(
    events.filter(({ type }) => ends.includes(type)),
    (event) => field(event, 'turnId'),
  );
  const admitted = events.filter(({ type }) => type === 'TurnAdmitted');
  return admitted.flatMap((turn) => {
    const count = ended.get(field(turn, 'turnId'))?.length ?? 0;
    return count === 1 ? [] : [`the turn ${field(turn, 'turnId')} has ${count} ends`];
  });
}

function entries(events: readonly LogEvent[]): string[] {
  const indexes = events.flatMap(({ data }) =>
    typeof data.entryIndex === 'number' ? [data.entryIndex] : [],
  );
  const wrong = indexes.findIndex((index, place) => index !== place);
  return wrong === -1 ? [] : [`entry ${indexes[wrong]} of the transcript comes where ${wrong} is due`];
}

function budget({ tables }: Evidence, events: readonly LogEvent[]): string[] {
  const [created] = events;
  if (created?.type !== 'AgentSessionCreated') return [];
  const used = events.reduce((sum, { data }) => sum + Number(data.tokens ?? 0), 0);
  const due = Math.max(0, Number(created.data.tokenBudget) - used);
  const row = tables.agentSessions.find(({ id }) => id === field(created, 'agentSessionId'));
  if (Number(row?.token_budget_remaining) === due) return [];
  return [`its budget is ${String(row?.token_budget_remaining)}, not ${due}`];
}

/** A settled step was dispatched at most once, and so was an initial address. A lost turn may have dispatched one more. */
function dispatches({ driver }: Evidence, events: readonly LogEvent[]): string[] {
  const spawned = new Set(startedBy(events));
  const operated = driver.filter(({ action, session_id }) => action === 'operate' && spawned.has(session_id));
  const steps = grouped(
    events.filter(({ type }) => type === 'IntentSettled'),
    (event) => `${field(event, 'turnId')} ${String(event.data.index)}`,
  );
  const count = (wanted: string) => events.filter(({ type }) => type === wanted).length;
  const [lost, opened] = [count('TurnAbandoned'), count('InitialUrlOpened')];
  return [
    ...[...steps].filter(([, same]) => same.length > 1).map(([step]) => `the step ${step} was settled twice`),
    ...(operated.length > steps.size + lost + opened
      ? [
          `${operated.length} steps reached a browser, of ${steps.size} that were settled, ${lost} lost and ${opened} initial addresses`,
        ]
      : []),
  ];
}

const startedBy = (events: readonly LogEvent[]): string[] =>
  events.filter(({ type }) => type === 'DriverSessionSpawned').map((event) => field(event, 'sessionId'));

function browsers(sessions: ReadonlyMap<string, readonly LogEvent[]>, events: readonly LogEvent[]): string[] {
  if (!events.some(({ type }) => type === 'AgentSessionClosed')) return [];
  return startedBy(events)
    .filter((id) => isLive(lifeOf(sessions.get(`session-${id.slice('ses_'.length)}`) ?? []).status))
    .map((id) => `it is closed, and ${id} lives`);
}

function replayed(events: readonly LogEvent[]): string[] {
  const difference = replay(events.map(({ type, data }) => ({ type, data }) as unknown as AgentSessionEvent));
  return difference === null ? [] : [`the rules part from the log at revision ${difference.revision}`];
}

function keys({ history, log }: Evidence): Violation[] {
  const said = history.filter(({ action, key }) => action === 'say' && key !== undefined);
  const caused = grouped(
    log.filter(({ type }) => type === 'TurnAdmitted' || type === 'MessageLogged'),
    ({ requestId }) => requestId ?? '',
  );
  return [...grouped(said, ({ account, key }) => `${account} ${key}`)].flatMap(([, exchanges]) => {
    const requests = exchanges.map(({ id }) => id);
    const made = requests.flatMap((id) => caused.get(id) ?? []).length;
    const answers = exchanges.flatMap(({ answer }) => (answer.kind === 'done' ? [answer.text] : []));
    return [
      ...(made > 1 ? [{ what: `one key made ${made} turns`, requests }] : []),
      ...(answers.length > 0 && made === 0
        ? [{ what: 'an acknowledged message made no turn', requests }]
        : []),
      ...(new Set(answers).size > 1 ? [{ what: 'one key got several answers', requests }] : []),
    ];
  });
}
