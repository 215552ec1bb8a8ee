import { expect } from 'chai';
import { agentSessionEvents, type AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { agentSession } from './agent-session.ts';
import type { AgentSessionCommand } from './commands.ts';
import { replay } from './replay.ts';
import type { AgentSession } from './state.ts';
import {
  clientId,
  commands,
  events,
  failure,
  leaseExpiresAt,
  otherParticipant,
  otherSession,
  otherTurn,
  resumeUntil,
  sessionId,
} from './testing.ts';

/** The events of these commands, in order. */
function logOf(...given: readonly AgentSessionCommand[]): readonly AgentSessionEvent[] {
  let state: AgentSession = agentSession.initialState;
  return given.flatMap((command) => {
    const decided = agentSession.decide(command, state);
    state = decided.reduce(agentSession.evolve, state);
    return decided;
  });
}

const typesOf = (log: readonly AgentSessionEvent[]) => log.map(({ type }) => type);

const create = commands.CreateAgentSession();
const createPair = commands.CreateAgentSession({ mode: 'pair', attached: sessionId });
const admit = commands.AdmitMessage();
const withhold = commands.AdmitMessage({ asksModel: true });
const decompose = commands.RecordDecomposition({ intents: 1 });
const sealedMessage = 'sealed without secrets';
const withheldMessage = { sealedMessage, withholdsMessage: true } as const;
const endedUnderTurn = commands.LoseDriverSession({ endedAt: leaseExpiresAt });
const settles = { kind: 'plan-executed', ok: true, limit: null, sealedAnswer: 'sealed answer' } as const;

/** Name of each history, a type of event that it contains, and its commands. */
const stories: readonly (readonly [string, AgentSessionEvent['type'], readonly AgentSessionCommand[]])[] = [
  [
    'a turn that was carried out in a browser of its own, and read back',
    'TurnReadBack',
    [
      commands.CreateAgentSession({ opensInitialUrl: true }),
      ...[admit, decompose, commands.SpawnDriverSession(), commands.OpenInitialUrl()],
      ...[commands.SettleIntent(), commands.RecordReadBack(), commands.SettleTurn()],
    ],
  ],
  [
    'a turn that settled with its last step',
    'TurnSettled',
    [create, admit, commands.RecordDecomposition({ intents: 1 }), commands.SettleIntent({ settles })],
  ],
  [
    'a turn that was superseded by a takeover, which was promoted with it',
    'TakeoverPromoted',
    [createPair, admit, decompose, commands.TakeOver(), commands.SettleIntent()],
  ],
  [
    'a turn whose process died, with its browser',
    'DriverSessionLost',
    [create, admit, decompose, commands.SpawnDriverSession(), commands.AbandonTurn()],
  ],
  [
    'a turn that failed, with the error that it raised',
    'ErrorRaised',
    [create, admit, commands.FailTurn({ failure })],
  ],
  [
    'a message that was withheld until the model had decided',
    'MessageRecorded',
    [create, withhold, commands.RecordDecomposition({ sealedMessage, intents: 0 }), commands.SettleTurn()],
  ],
  [
    'a message that was withheld until the turn had ended',
    'MessageRecorded',
    [
      ...[create, withhold, commands.RecordDecomposition({ ...withheldMessage, after: 'look', intents: 1 })],
      commands.SettleIntent(withheldMessage),
      commands.RecordDecomposition({ ...withheldMessage, round: 2, after: 'look', intents: 1 }),
      commands.SettleIntent({ ...withheldMessage, index: 1, settles }),
    ],
  ],
  [
    'a withheld message that a superseded turn left behind',
    'TurnSuperseded',
    [create, withhold, commands.ChangeMode(), commands.ContinueTurn({ sealedMessage })],
  ],
  [
    'a withheld message that was lost with its process',
    'TurnAbandoned',
    [create, withhold, commands.AbandonTurn()],
  ],
  [
    'a message that was withdrawn before another was admitted',
    'MessageWithdrawn',
    [create, commands.WithdrawMessage({ turnId: otherTurn }), admit],
  ],
  ['a note in manual mode', 'MessageLogged', [create, commands.ChangeMode(), admit]],
  [
    'people who touched the browser in turns',
    'ScreenTakenOver',
    [
      ...[create, commands.ChangeMode(), commands.TakeOverScreen()],
      ...[commands.TakeOverScreen({ participant: otherParticipant }), commands.TakeOverScreen()],
    ],
  ],
  [
    'a session that was closed because its budget was used up',
    'AgentSessionClosed',
    [
      commands.CreateAgentSession({ tokenBudget: 100 }),
      ...[admit, commands.RecordDecomposition({ intents: 0 }), commands.SettleTurn()],
      commands.AdmitMessage({ turnId: otherTurn }),
    ],
  ],
  [
    'controls that were granted, handed back and given up',
    'PairModeTimedOut',
    [
      ...[createPair, commands.TakeOver(), commands.GrantTakeover(), commands.HandBack()],
      ...[commands.CompleteHandback(), commands.TakeOver(), commands.GrantTakeover()],
      commands.ExpireHeartbeat(),
    ],
  ],
  [
    'a challenge that paused it, and was resumed from',
    'AgentSessionResumed',
    [createPair, commands.Pause(), commands.RequestResume(), commands.Resume()],
  ],
  [
    'a driver session that ended, and an attached one that did not',
    'DriverSessionLost',
    [createPair, commands.LoseDriverSession({ failure }), commands.RecordBrowserChange()],
  ],
  [
    'a driver session that was never started, of a session that was closed',
    'DriverSessionLost',
    [
      ...[create, admit, decompose, commands.SpawnDriverSession(), commands.Close()],
      commands.LoseDriverSession({ cause: 'refused' }),
    ],
  ],
  [
    'a node that was drained, and stopped later',
    'DrainAnnounced',
    [createPair, commands.AnnounceDrain(), commands.AnnounceDrain({ endsBy: resumeUntil })],
  ],
  [
    'a driver session that ended by request under a turn',
    'ErrorRaised',
    [create, admit, decompose, commands.SpawnDriverSession(), endedUnderTurn],
  ],
  [
    'an idle timeout that was extended, and then closed it',
    'AgentIdleTimeoutExtended',
    [
      commands.CreateAgentSession({ idle: { timeoutMs: 600_000, dueAt: resumeUntil } }),
      commands.EnforceIdleTimeout({ lastUseAt: '2026-01-05T12:08:00.000Z' }),
      commands.EnforceIdleTimeout({ at: '2026-01-05T12:18:00.000Z' }),
    ],
  ],
  ['a creation that was withdrawn', 'AgentSessionWithdrawn', [commands.WithdrawAgentSession()]],
  [
    'a takeover that expired',
    'TakeoverExpired',
    [createPair, commands.TakeOver(), commands.ExpireHeartbeat()],
  ],
  [
    'a challenge that was not solved in time',
    'ResumeExpired',
    [createPair, commands.Pause(), commands.RequestResume(), commands.ExpireResume()],
  ],
  [
    'a link that was used and revoked',
    'LinkRevoked',
    [create, commands.CreateLink(), commands.UseLink(), commands.RevokeLink()],
  ],
];

describe('an agent session’s log, replayed', () => {
  for (const [story, type, given] of stories) {
    it(`equals what the rules decide, after ${story}`, () => {
      const log = logOf(...given);
      expect(typesOf(log)).to.include(type);
      expect(replay(log)).to.equal(null);
    });
  }

  it('has been compared for every type of event that the rules decide', () => {
    const told = new Set<string>(stories.flatMap(([, , given]) => typesOf(logOf(...given))));
    // No turn begins while a person has the controls, so no handback is queued.
    const others = Object.keys(agentSessionEvents.types).filter((type) => !told.has(type));
    expect(others).to.deep.equal(['HandbackPromoted']);
  });

  it('may lack the failure of a driver session that ended by request during a turn, as in earlier releases', () => {
    const log = logOf(create, admit, decompose, commands.SpawnDriverSession(), endedUnderTurn);
    expect(typesOf(log).slice(-2)).to.deep.equal(['DriverSessionLost', 'ErrorRaised']);
    expect(replay(log.slice(0, -1))).to.equal(null);
  });

  it('differs at the first event that the rules would have decided otherwise', () => {
    const log = logOf(create, admit, decompose, commands.SettleIntent(), commands.SettleTurn());
    const changed = log.with(4, events.TurnSettled({ entryIndex: 7 }));
    expect(replay(changed)).to.deep.equal({
      revision: 4,
      recorded: events.TurnSettled({ entryIndex: 7 }),
      decided: events.TurnSettled(),
    });
  });

  it('differs where the rules would have added an event', () => {
    const log = logOf(createPair, admit, decompose, commands.TakeOver(), commands.SettleIntent());
    expect(typesOf(log).slice(-2)).to.deep.equal(['TurnSuperseded', 'TakeoverPromoted']);
    const difference = replay(log.slice(0, -1));
    expect(difference).to.deep.include({ revision: log.length - 1, recorded: null });
    expect(difference?.decided).to.have.property('type', 'TakeoverPromoted');
  });

  it('differs where the rules refuse what was recorded', () => {
    const log = [...logOf(create, commands.Close()), events.TurnAdmitted()];
    const difference = replay(log);
    expect(difference?.revision).to.equal(2);
    expect(difference?.decided).to.match(/^The rules refuse it: /);
  });

  it('differs where the rules would have recorded nothing', () => {
    const log = [
      ...logOf(createPair, commands.TakeOver()),
      events.DriverSessionLost({ sessionId: otherSession }),
    ];
    expect(replay(log)).to.deep.include({ revision: 2, decided: null });
  });

  it('differs if the event is missing that another one follows', () => {
    const log = [...logOf(createPair), events.TakeoverPromoted({ clientId })];
    expect(replay(log)).to.deep.include({
      revision: 1,
      decided: 'No command leads to this event by itself.',
    });
  });

  it('is compared from the first event, so that a log that begins in the middle is refused', () => {
    const [, ...rest] = logOf(create, admit);
    expect(replay(rest)?.revision).to.equal(0);
    expect(replay([])).to.equal(null);
  });

  it('is compared as JSON: with all members of each event, in any order', () => {
    const log = logOf(create, admit, decompose, commands.SettleIntent(), commands.SettleTurn());
    const decomposed = events.TurnDecomposed({ intents: 1 });
    const reordered = Object.fromEntries(Object.entries(decomposed.data).reverse());
    expect(replay(log.with(2, { ...decomposed, data: reordered } as AgentSessionEvent))).to.equal(null);
    const { entryIndex: _entryIndex, ...unnumbered } = events.TurnSettled().data;
    const settled = { type: 'TurnSettled', data: unnumbered } as AgentSessionEvent;
    expect(replay(log.with(4, settled))?.revision).to.equal(4);
  });

  it('uses the times of the log, whenever it is replayed', () => {
    const log = logOf(create, admit, commands.AbandonTurn());
    expect(log.at(-1)?.data.at).to.equal(leaseExpiresAt);
    expect(replay(log)).to.equal(null);
  });
});
