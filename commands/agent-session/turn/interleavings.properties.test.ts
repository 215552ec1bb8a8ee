import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import { entryOf } from '../../../contracts/events/agent-transcript.ts';
import { turnCents } from '../../bundled-llm.ts';
import { Refusal } from '../../../contracts/problems.ts';
import { agentSession } from '../../../domain/agent-session/agent-session.ts';
import { replay } from '../../../domain/agent-session/replay.ts';
import { exists } from '../../../domain/agent-session/state.ts';
import { vault } from '../../../infra/verification/simulation/fake-vault.ts';
import { TurnStory } from './testing.ts';
import type { Scenario } from './testing/scenario.ts';

const scenarios = fc.record<Scenario>({
  asksModel: fc.boolean(),
  rounds: fc.integer({ min: 1, max: 3 }),
  intents: fc.nat(3),
  strays: fc.boolean(),
  failsAt: fc.nat(6),
  dialogAt: fc.nat(6),
  readsBack: fc.boolean(),
  hasForm: fc.boolean(),
  isBundled: fc.boolean(),
  hasVariable: fc.boolean(),
  opensInitialUrl: fc.boolean(),
  losesFirst: fc.boolean(),
  refusesSpawn: fc.nat(5).map((dice) => dice === 0),
  modelFails: fc.constantFrom('not', 'not', 'not', 'not', 'unavailable', 'key_refused'),
  modelFailsIn: fc.integer({ min: 1, max: 3 }),
  change: fc.constantFrom('none', 'takeover', 'mode', 'pause', 'close', 'abandon'),
  moment: fc.integer({ min: 0, max: 50 }),
});

interface Run {
  readonly story: TurnStory;
  readonly answer: Awaited<ReturnType<TurnStory['say']>>;
  readonly events: readonly AgentSessionEvent[];
  readonly end: AgentSessionEvent | undefined;
}

const ends = new Set(['TurnSettled', 'TurnFailed', 'TurnSuperseded', 'TurnAbandoned']);

const told = new Map<string, Promise<Run>>();

async function tell(scenario: Scenario): Promise<Run> {
  const story = new TurnStory(scenario);
  await story.open();
  const answer = await story.say();
  const events = await story.events();
  return { story, answer, events, end: events.find(({ type }) => ends.has(type)) };
}

/** Every check draws the same scenarios; each runs once and is cached. */
function runOf(scenario: Scenario): Promise<Run> {
  const key = JSON.stringify(scenario);
  const run = told.get(key) ?? tell(scenario);
  told.set(key, run);
  return run;
}

const always = (check: (run: Run) => Promise<void> | void) => () =>
  fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      await check(await runOf(scenario));
    }),
    { seed: 20260105, numRuns: 1500 },
  );

const refusalOf = ({ answer }: Run): Refusal => {
  assert.ok(answer.status === 'rejected' && answer.reason instanceof Refusal);
  return answer.reason;
};

const isPlanned = (event: AgentSessionEvent): boolean =>
  event.type === 'TurnDecomposed' && event.data.decision === 'plan';

const partialResults = ({ extensions }: Refusal) => (extensions.partial_results ?? []) as readonly unknown[];

describe('a turn, with any interference at any moment', () => {
  it(
    'ends in exactly one event, from which its answer derives',
    always((run) => {
      const { answer, events, end } = run;
      if (!events.some(({ type }) => type === 'TurnAdmitted')) {
        if (answer.status === 'fulfilled') assert.equal(answer.value.body.kind, 'logged-manual');
        else assert.equal(refusalOf(run).slug, 'conflict');
        return;
      }
      assert.equal(events.filter(({ type }) => ends.has(type)).length, 1);
      if (end?.type === 'TurnSettled') assert.equal(answer.status, 'fulfilled');
      else if (end?.type === 'TurnFailed') {
        assert.equal(refusalOf(run).slug, end.data.problem);
        assert.notEqual(end.data.problem, 'internal');
      } else {
        const { slug, extensions } = refusalOf(run);
        assert.deepEqual([slug, extensions.ai_control_unavailable], ['conflict', true]);
      }
    }),
  );

  it(
    'dispatches each step at most once, and at most the step under way once control has changed',
    always(({ story }) => {
      const ids = story.dispatched.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      assert.ok(story.dispatched.filter(({ isAfterChange }) => isAfterChange).length <= 1);
    }),
  );

  it(
    'records every step that was dispatched, and answers with what it recorded',
    always((run) => {
      const { story, answer, events, end } = run;
      const results = events.filter((event) => event.type === 'IntentSettled');
      const settled = results.length;
      /** Repetitions of failed acts are refused. */
      const refused = results.filter(({ data }) => data.category === 'invalid_request').length;
      const steps =
        story.dispatched.length - (events.some(({ type }) => type === 'InitialUrlOpened') ? 1 : 0);
      if (end?.type !== 'TurnAbandoned') assert.equal(settled - refused, Math.max(0, steps));
      if (end?.type === 'TurnSuperseded') assert.equal(partialResults(refusalOf(run)).length, settled);
      if (answer.status === 'fulfilled' && answer.value.body.kind === 'plan-executed')
        assert.equal(answer.value.body.results.length, settled);
    }),
  );

  it(
    'opens an address of unknown origin only while no page was seen, and else asks about it',
    always(({ story, answer, events }) => {
      const plans = events.filter(isPlanned).length;
      const question = answer.status === 'fulfilled' && 'clarifying_question' in answer.value.body;
      if (!story.scenario.strays || !story.scenario.asksModel || plans < 2 || !question) return;
      const { intents } = answer.value.body as { readonly intents?: readonly unknown[] };
      assert.deepEqual(intents?.at(-1), { kind: 'navigate', url: 'http://else.test/' });
    }),
  );

  it(
    'debits the tokens that models used from the budget once, and reports their number',
    always((run) => {
      const { events, end } = run;
      const debits = events.flatMap((event) =>
        event.type === 'TurnDecomposed' || event.type === 'TurnReadBack' ? [event.data.tokens] : [],
      );
      const sum = debits.reduce((one, other) => one + other, 0);
      const state = events.reduce(agentSession.evolve, agentSession.initialState);
      assert.equal(exists(state) && state.tokensUsed, sum);
      if (end?.type === 'TurnSuperseded') assert.equal(refusalOf(run).extensions.tokens_consumed ?? 0, sum);
    }),
  );

  it(
    'costs the price of the bundled model if the provider has reported use, and nothing otherwise',
    always(async ({ story }) => {
      const isCharged = story.scenario.isBundled && story.isUsed;
      assert.equal(await story.spent(), isCharged ? turnCents : 0);
    }),
  );

  it(
    'can be answered again from the stream as it was answered first',
    always(async (run) => {
      const { story, answer, end } = run;
      const outcome = await story.turns.outcome(story.order.found, story.order.turnId);
      if (answer.status === 'fulfilled') {
        assert.deepEqual(outcome, { kind: 'created', body: answer.value.body });
      } else if (end === undefined) {
        assert.deepEqual(outcome, { kind: 'absent' });
      } else {
        assert.ok(outcome.kind === 'refused');
        const { slug, message, extensions } = refusalOf(run);
        assert.equal(outcome.refusal.slug, slug);
        if (end.type !== 'TurnAbandoned')
          assert.deepEqual([outcome.refusal.message, outcome.refusal.extensions], [message, extensions]);
      }
    }),
  );

  it(
    'is told by its transcript without a gap and without a secret, and by its rules once more',
    always(async ({ story, answer, events }) => {
      const open = async (field: string, sealed: string) => {
        const [account = ''] = JSON.parse(sealed) as string[];
        const opened = await vault.open(account, field, sealed);
        return 'erased' in opened ? null : opened.text;
      };
      const entries = (await Promise.all(events.map((event) => entryOf(event, open)))).filter(
        (entry) => entry !== null,
      );
      assert.deepEqual(
        entries.map(({ index }) => index),
        entries.map((_, index) => index),
      );
      const isManual = events.some(({ type }) => type === 'MessageLogged');
      const kept = JSON.stringify(events, (key, value: unknown) =>
        key === 'sealedMessage' && isManual ? '' : value,
      );
      const said = answer.status === 'fulfilled' ? JSON.stringify(answer.value.body) : String(answer.reason);
      // Otherwise it is not marked as a secret.
      const { intents, hasVariable } = story.scenario;
      const typesSecret = hasVariable || (intents >= 2 && events.some(isPlanned));
      if (typesSecret) assert.ok(!kept.includes('canary') && !said.includes('canary'));
      assert.equal(replay(events), null);
    }),
  );
});
