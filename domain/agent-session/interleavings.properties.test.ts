import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { agentSession } from './agent-session.ts';
import { replay } from './replay.ts';
import { exists } from './state.ts';
import { runStory, type Action, type Move, type Outcome } from './testing/story.ts';

const terminal = new Set(['TurnSettled', 'TurnFailed', 'TurnSuperseded', 'TurnAbandoned']);
const controls = new Set([
  ...['TakeoverRequested', 'PairModeTimedOut', 'HandbackRequested', 'ModeChanged'],
  ...['AgentSessionPaused', 'AgentSessionClosed'],
]);

const plan = fc.record({
  rounds: fc.integer({ min: 1, max: 3 }),
  intents: fc.nat(3),
  failsAt: fc.nat(4),
  readsBack: fc.boolean(),
  asksModel: fc.boolean(),
  fails: fc.nat(9).map((dice) => dice === 0),
});
const message = plan.map((each): Action => ({ kind: 'message', plan: each }));
const move = (kind: Move) => fc.constant<Action>({ kind });
const action = fc.oneof(
  { weight: 4, arbitrary: message },
  { weight: 20, arbitrary: move('step') },
  { weight: 3, arbitrary: fc.oneof(move('takeover'), move('pair'), move('ai')) },
  { weight: 2, arbitrary: fc.oneof(move('grant'), move('handback'), move('complete'), move('resume')) },
  { weight: 1, arbitrary: fc.oneof(move('pause'), move('manual'), move('abandon'), move('lose')) },
  { weight: 1, arbitrary: fc.nat(9).map((dice): Action => ({ kind: dice === 0 ? 'close' : 'step' })) },
);
const stories = fc.tuple(
  fc.constantFrom('ai', 'pair'),
  fc.boolean(),
  fc.array(action, { maxLength: 80, size: 'max' }),
);

const outcomes = new Map<string, Outcome>();

/** All checks use the same histories, so each one is run only once. */
function outcomeOf(
  story: readonly [mode: 'ai' | 'pair', isAttached: boolean, actions: readonly Action[]],
): Outcome {
  const key = JSON.stringify(story);
  const outcome = outcomes.get(key) ?? runStory(...story);
  outcomes.set(key, outcome);
  return outcome;
}

const always = (check: (outcome: Outcome) => void) => () =>
  fc.assert(
    fc.property(stories, (story) => check(outcomeOf(story))),
    { seed: 20260105, numRuns: 2000 },
  );

const turnOf = ({ data }: AgentSessionEvent): string | undefined =>
  'turnId' in data ? data.turnId : undefined;
const ofTurn = (log: readonly AgentSessionEvent[], turnId: string) =>
  log.filter((event) => turnOf(event) === turnId);

const steps = new Set(['TurnDecomposed', 'IntentSettled', 'TurnReadBack']);

/** The events of each turn, by append, and whether control had changed in between. */
function* appendsOfTurns(appends: Outcome['appends']) {
  let running: string | undefined;
  let isOvertaken = false;
  for (const append of appends) {
    const own = append.filter((event) => running !== undefined && turnOf(event) === running);
    if (running !== undefined && own.length > 0) yield { turnId: running, own, isOvertaken };
    for (const event of append) {
      if (terminal.has(event.type)) running = undefined;
      if (controls.has(event.type)) isOvertaken = running !== undefined;
      if (event.type === 'TurnAdmitted') [running, isOvertaken] = [event.data.turnId, false];
    }
  }
}

describe('turns and changes of control, however they interleave', () => {
  it(
    'end a turn of an older epoch in the append of the step under way, which is all that it still commits',
    always(({ appends }) => {
      for (const { turnId, own, isOvertaken } of appendsOfTurns(appends)) {
        if (!isOvertaken) continue;
        const types = own.map(({ type }) => type).filter((type) => type !== 'MessageRecorded');
        assert.ok(types.length <= 2, `${turnId}: ${types.join()}`);
        assert.ok(['TurnSuperseded', 'TurnAbandoned'].includes(types.at(-1) ?? ''), types.join());
        for (const type of types.slice(0, -1)) assert.ok(steps.has(type), type);
      }
    }),
  );
  it(
    'never supersede a turn without a change of control',
    always(({ log }) => {
      let isOvertaken = false;
      for (const { type } of log) {
        if (type === 'TurnAdmitted') isOvertaken = false;
        if (controls.has(type)) isOvertaken = true;
        if (type === 'TurnSuperseded') assert.ok(isOvertaken);
      }
    }),
  );
  it(
    'debit the tokens of each call exactly once',
    always(({ log, state, runners }) => {
      const debits = log.flatMap((event) =>
        event.type === 'TurnDecomposed' || event.type === 'TurnReadBack' ? [event.data.tokens] : [],
      );
      assert.equal(
        exists(state) ? state.tokensUsed : 0,
        debits.reduce((sum, each) => sum + each, 0),
      );
      const calls = runners.flatMap(({ done }) =>
        done.filter(({ type }) => type === 'RecordDecomposition' || type === 'RecordReadBack'),
      );
      assert.equal(debits.length, calls.length);
    }),
  );
  it(
    'number the entries of the transcript without a gap',
    always(({ log, state }) => {
      const indexes = log.flatMap(({ data }) =>
        'entryIndex' in data && data.entryIndex !== null ? [data.entryIndex] : [],
      );
      assert.deepStrictEqual(
        indexes,
        indexes.map((_, index) => index),
      );
      assert.equal(exists(state) ? state.entries : 0, indexes.length);
    }),
  );
  it(
    'have each message in the transcript once, before its outcome',
    always(({ log }) => {
      let owed: string | undefined;
      for (const event of log) {
        if (event.type === 'TurnAdmitted')
          owed = event.data.entryIndex === null ? event.data.turnId : undefined;
        if (event.type === 'MessageRecorded') {
          assert.equal(event.data.turnId, owed);
          owed = undefined;
        }
        if (terminal.has(event.type)) assert.equal(owed, undefined);
      }
    }),
  );
  it(
    'run one turn at a time, and end each exactly once unless it still runs',
    always(({ log, state }) => {
      let running: string | undefined;
      for (const event of log) {
        if (event.type === 'TurnAdmitted') {
          assert.equal(running, undefined);
          running = event.data.turnId;
        } else if (terminal.has(event.type)) {
          assert.equal(turnOf(event), running);
          running = undefined;
        } else if (event.type !== 'MessageLogged' && turnOf(event) !== undefined) {
          assert.equal(turnOf(event), running, event.type);
        }
      }
      assert.equal(exists(state) ? state.turn?.turnId : undefined, running);
    }),
  );
  it(
    'never lose the result of an executed intent',
    always(({ log, runners }) => {
      for (const { turnId, done } of runners) {
        const carriedOut = done.flatMap((each) => (each.type === 'SettleIntent' ? [each.index] : []));
        const recorded = ofTurn(log, turnId).flatMap((event) =>
          event.type === 'IntentSettled' ? [event.data.index] : [],
        );
        assert.deepStrictEqual(recorded, carriedOut);
      }
    }),
  );
  it(
    'promote what was queued in the append that ends the turn',
    always(({ appends }) => {
      let state = agentSession.initialState;
      for (const append of appends) {
        state = append.reduce(agentSession.evolve, state);
        if (!exists(state) || state.turn !== null || state.status === 'closed') continue;
        assert.ok(!state.pair?.kind.endsWith('-queued'), state.pair?.kind);
      }
    }),
  );
  it(
    'replay from the log without a difference',
    always(({ log }) => assert.equal(replay(log), null)),
  );
  it(
    'open the initial address at most once',
    always(({ log }) => {
      assert.ok(log.filter(({ type }) => type === 'InitialUrlOpened').length <= 1);
    }),
  );
});
