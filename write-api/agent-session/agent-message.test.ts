import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import type { AgentSession } from '../../contracts/resources/agent-session.ts';
import type { IntentResult, MessageAnswer } from '../../contracts/resources/agent-turn.ts';
import type { Driver } from '../../infra/fleet/node/driver.ts';
import { createSimulatedDriver } from '../../infra/fleet/simulated/index.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { createOutboundGuard } from '../../infra/outbound/guard.ts';
import { startAgents, type Agents } from '../testing/agents.ts';

const answerOf = ({ json }: Answer) => json as unknown as Extract<MessageAnswer, { kind: 'plan-executed' }>;
const failureIn = (results: readonly IntentResult[]) => {
  const last = results.at(-1);
  if (last?.kind !== 'failure') throw new Error(JSON.stringify(results));
  return last;
};

describe('a message to an agent, understood by the grammar', () => {
  let agents: Agents;
  before(async () => {
    agents = await startAgents();
  });
  after(() => agents.close());

  it('is carried out in a driver session that is started for it, and answered with each step’s result', async () => {
    const opened = await agents.open();
    const said = 'go to http://sim.test/form then type "Ada" into selector #name then tap selector #send';
    const answer = await agents.message(opened, said);
    expect(answer.status, answer.text).to.equal(200);
    const { kind, session, intents, results, ok, usage } = answerOf(answer);
    expect([kind, ok, usage]).to.deep.equal(['plan-executed', true, { decomposer_kind: 'deterministic' }]);
    expect(intents.map((intent) => intent.kind)).to.deep.equal(['navigate', 'interact', 'interact']);
    expect(
      results.map((result) => (result.kind === 'success' ? result.summary : result.reason)),
    ).to.deep.equal(['Opened http://sim.test/form (status 200).', 'Typed into #name.', 'Tapped #send.']);
    expect(results.map(({ intent }) => intent)).to.deep.equal(intents);
    expect(session).to.deep.include({
      id: opened.id,
      status: 'active',
      transcript_length: 2,
      error_event: null,
    });
    expect(session.token_budget_remaining).to.equal(session.token_budget_total);
    expect(agents.operations(session.service_session_id)).to.deep.equal(['navigate', 'interact', 'interact']);
    expect(await agents.transcript(opened)).to.deep.include.members([
      {
        role: 'agent',
        body: 'Opened http://sim.test/form (status 200).\nTyped into #name.\nTapped #send.',
        at: (await agents.state(opened.id)).updatedAt,
        intents,
      },
    ]);
    const [user] = await agents.transcript(opened);
    expect(user).to.deep.include({ role: 'user', body: said });
  });

  it('goes on in the same driver session, which the agent session holds', async () => {
    const opened = await agents.open();
    const first = answerOf(await agents.message(opened, 'go to http://sim.test/form')).session;
    const second = answerOf(await agents.message(opened, 'tap selector #send')).session;
    expect(second.service_session_id).to.match(/^ses_/).and.equal(first.service_session_id);
    expect(await agents.held(first.service_session_id ?? 'ses_')).to.equal(opened.id);
    expect(second.transcript_length).to.equal(4);
  });

  it('halts at the first failure, says so in its entry, and keeps what was done', async () => {
    const opened = await agents.open();
    const answer = await agents.message(
      opened,
      'go to http://sim.test/ then tap selector #missing then scroll down',
    );
    const { results, ok, intents } = answerOf(answer);
    expect([answer.status, ok, intents.length, results.length]).to.deep.equal([200, false, 3, 2]);
    expect(failureIn(results).diagnosis).to.deep.equal({ category: 'element_not_found', retryable: true });
    const entry = (await agents.transcript(opened)).at(-1);
    expect(entry?.body).to.match(/^Opened .*\nFailed: .*\nHalted on failure at step 2 of 3\.$/s);
  });

  const failures: readonly (readonly [string, string, object])[] = [
    ['navigate', 'go to http://sim.test/unreachable', { category: 'page_load_failed', retryable: false }],
    [
      'an address that is not allowed',
      'go to http://10.0.0.1/',
      { category: 'invalid_request', retryable: false },
    ],
    ['another scheme', 'go to file:///etc/passwd', { category: 'invalid_request', retryable: false }],
    ['a browser that breaks', 'go to http://sim.test/crash', { category: 'session_error', retryable: false }],
  ];
  for (const [what, said, diagnosis] of failures) {
    it(`says of ${what} whether it may be tried again`, async () => {
      const { results } = answerOf(await agents.message(await agents.open(), said));
      expect(failureIn(results).diagnosis).to.deep.equal(diagnosis);
    });
  }

  it('says of a step that cannot be taken which field is wrong, in one sentence each', async () => {
    const { results } = answerOf(await agents.message(await agents.open(), 'go to http://10.0.0.1/'));
    expect(failureIn(results).reason).to.match(
      /^The step cannot be taken: url is refused: the address of 10\.0\.0\.1 .*[^.]\.$/,
    );
  });

  it('gives a capture an id, under which the browser keeps it', async () => {
    const opened = await agents.open();
    const { results } = answerOf(
      await agents.message(opened, 'go to http://sim.test/ then take a screenshot'),
    );
    const captureId = results[1]?.kind === 'success' ? results[1].captureId : undefined;
    expect(captureId).to.match(/^cap_[0-9a-f-]{36}$/);
    const kept = await agents.side.call(`GET /v1/agent-sessions/${opened.id}/captures/${captureId}`, {
      token: opened.token,
    });
    expect([kept.status, kept.json.kind]).to.deep.equal([200, 'screenshot']);
  });

  it('scrolls and pauses', async () => {
    const opened = await agents.open();
    const said = 'go to http://sim.test/ then scroll down 300 then wait 0.01 seconds then scroll up';
    const { results } = answerOf(await agents.message(opened, said));
    expect(
      results.map((each) => (each.kind === 'success' ? each.summary : each.reason)).slice(1),
    ).to.deep.equal(['Scrolled down by 300 pixels.', 'Waited 10 ms.', 'Scrolled up by 600 pixels.']);
  });

  it('keeps what is typed as a password nowhere', async () => {
    const opened = await agents.open();
    const secret = 'canary-hunter2';
    const said = `go to http://sim.test/login then type password "${secret}" into selector #password`;
    const answer = await agents.message(opened, said);
    expect(answerOf(answer).intents[1]).to.deep.equal({
      kind: 'interact',
      action: { kind: 'type', selector: '#password', sensitive: true },
    });
    const [user] = await agents.transcript(opened);
    expect(user?.body).to.equal(said.replace(secret, '[hidden]'));
    const kept = [answer.text, await agents.transcript(opened), await agents.sealed(opened)];
    expect(JSON.stringify(kept)).not.to.contain(secret);
    const { service_session_id: id } = answerOf(answer).session;
    const typed = await agents.side.call(`POST /v1/sessions/${String(id)}/extract`, {
      token: opened.token,
      body: { schema: { properties: { typed: { 'x-selector': '#password' } } } },
    });
    expect(typed.json.data).to.deep.equal({ typed: secret });
  });

  it('opens the initial address once, before the first step', async () => {
    const opened = await agents.open({ start: { initial_url: 'http://sim.test/form' } });
    const first = answerOf(await agents.message(opened, 'type "Ada" into selector #name'));
    expect(first.results).to.deep.equal([
      {
        ...{ kind: 'success', intent: first.intents[0], summary: 'Typed into #name.' },
        target: { selector: '#name', text: '', role: 'textbox' },
      },
    ]);
    await agents.message(opened, 'tap selector #send');
    const { service_session_id } = first.session;
    expect(agents.operations(service_session_id)).to.deep.equal(['navigate', 'interact', 'interact']);
  });

  it('goes on when the initial address cannot be opened, and says so', async () => {
    const opened = await agents.open({ start: { initial_url: 'http://sim.test/unreachable' } });
    const { ok, session } = answerOf(await agents.message(opened, 'go to http://sim.test/'));
    expect(ok).to.equal(true);
    expect(session.error_event).to.deep.include({ code: 'initial_url_failed', detail: null });
  });

  it('is only logged in manual mode, as the operator’s', async () => {
    const opened = await agents.open({ mode: 'manual' });
    const answer = await agents.message(opened, 'go to http://sim.test/');
    expect(answer.json).to.have.all.keys('kind', 'session');
    const { kind, session } = answer.json as { kind: string; session: AgentSession };
    expect([kind, session.service_session_id, session.transcript_length]).to.deep.equal([
      'logged-manual',
      null,
      1,
    ]);
    expect(await agents.transcript(opened)).to.deep.include.members([
      { role: 'operator', body: 'go to http://sim.test/', at: session.updated_at },
    ]);
    expect(await agents.typesOf(opened.id)).to.deep.equal(['AgentSessionCreated', 'MessageLogged']);
  });

  it('is refused with 404 for another account, and 409 once the session is closed', async () => {
    const opened = await agents.open();
    const stranger = await agents.side.staff.account('team');
    expect((await agents.message({ ...stranger, id: opened.id }, 'scroll down')).status).to.equal(404);
    await agents.shut(opened.id);
    expect((await agents.message(opened, 'scroll down')).status).to.equal(409);
  });

  it('is refused with 409, not 404, if the profile of the agent session is gone: the agent session is not', async () => {
    const opened = await agents.open({ profileId: toId('profile', randomUUID()) });
    const headers = { 'idempotency-key': 'gone' };
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await agents.message(opened, 'scroll down', headers);
      expect([status, json.detail]).to.deep.equal([
        409,
        'The profile or the proxy of this agent session no longer exists, so no browser can be started for it. Create another agent session.',
      ]);
    }
    const { status, error } = await agents.state(opened.id);
    expect([status, error?.code]).to.deep.equal(['active', 'not_found']);
  });

  it('closes the session when nothing is left of its budget', async () => {
    const opened = await agents.open({ tokenBudget: 1 });
    await spendBudget(opened);
    const answer = await agents.message(opened, 'scroll down');
    expect(answer.status).to.equal(200);
    const { kind, session } = answer.json as { kind: string; session: AgentSession };
    expect([kind, session.status, session.closed_reason]).to.deep.equal([
      'refuse',
      'closed',
      'budget-exhausted',
    ]);
    expect((await agents.transcript(opened)).at(-1)?.body).to.match(/^refused: The token budget/);
  });

  /** A turn whose model used a token. */
  async function spendBudget({ id }: { readonly id: `agt_${string}` }): Promise<void> {
    const turnId = crypto.randomUUID();
    const at = agents.at();
    const step = { turnId, sealedInterrupted: '', heartbeatDueAt: at, at };
    await agents.run(id, {
      type: 'AdmitMessage',
      ...{ turnId, sealedMessage: await sealed(id, `agent message ${turnId}`), sealedExhausted: '' },
      ...{ leaseExpiresAt: at, at },
    });
    const usage = {
      decomposerKind: 'own_key',
      model: null,
      inputTokens: 1,
      outputTokens: 0,
      costCents: null,
    } as const;
    await agents.run(id, {
      type: 'RecordDecomposition',
      ...{ ...step, round: 1, decision: 'refuse', intents: 0, after: null, sealedPlan: '', usage, tokens: 1 },
    });
    const sealedAnswer = await sealed(id, `agent answer ${turnId}`);
    const settled = { kind: 'refuse', ok: false, limit: null, sealedAnswer } as const;
    await agents.run(id, { type: 'SettleTurn', ...step, ...settled });
  }

  const sealed = async (id: `agt_${string}`, field: string) =>
    agents.side.vault.seal((await agents.state(id)).accountId, field, JSON.stringify({ body: 'x' }));
});

describe('a message to an agent that opens a page with a very long address', () => {
  const address = `http://sim.test/#${'x'.repeat(600_000)}`;
  const simulated = createSimulatedDriver({ guard: createOutboundGuard() });
  const launch: Driver['launch'] = async (...given) => {
    const browser = await simulated.launch(...given);
    const operations: typeof browser.operations = {
      ...browser.operations,
      navigate: async (...asked) => ({
        ...(await browser.operations.navigate(...asked)),
        final_url: address,
      }),
    };
    return { ...browser, operations };
  };
  let agents: Agents;
  before(async () => {
    agents = await startAgents({ browsers: { ...simulated, launch } });
  });
  after(() => agents.close());

  it('is carried out, and its entry has the beginning of the address', async () => {
    const opened = await agents.open();
    const answer = await agents.message(opened, 'go to http://sim.test/');
    expect(answer.status, answer.text.slice(0, 200)).to.equal(200);
    expect(answerOf(answer).ok).to.equal(true);
    const body = `Opened ${address.slice(0, 2_000)} (status 200).`;
    expect((await agents.transcript(opened)).at(-1)).to.include({ role: 'agent', body });
  });
});
