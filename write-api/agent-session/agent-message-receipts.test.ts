import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { v5 as uuidv5 } from 'uuid';
import { uuidOf } from '../../contracts/ids.ts';
import type { EventStore } from '../../infra/event-store/client/types.ts';
import { ProviderUnavailable } from '../../infra/model/port.ts';
import { heldAppends } from '../../infra/verification/security/held-appends.ts';
import { movableClock } from '../testing.ts';
import { ScriptedModel, startAgents, type Agents } from '../testing/agents.ts';
import { slowPage, slowUrl } from '../testing/slow-page.ts';

const own = { 'x-byok-llm-api-key': 'sk-ant-own' };

describe('an idempotency key on a message', () => {
  const model = new ScriptedModel();
  const clock = movableClock();
  const page = slowPage();
  const { throughStore, hold } = heldAppends();
  /** Streams that were read from their beginning. */
  const readWhole: string[] = [];
  const observed = (store: EventStore): EventStore => ({
    ...throughStore(store),
    readStream(stream, options = {}) {
      if (options.from === undefined) readWhole.push(stream);
      return store.readStream(stream, options);
    },
  });
  let agents: Agents;
  before(async () => {
    agents = await startAgents({
      ...{ clock, throughStore: observed },
      ...{ model, turnSettings: { controlCheckMs: 20, lastWordsMs: 20 } },
      driver: { waits: page.waits },
    });
  });
  after(() => agents.close());

  type Opened = Awaited<ReturnType<Agents['open']>>;
  const say = (
    opened: Opened,
    key: string,
    text = 'go to http://sim.test/',
    more: Record<string, string> = {},
  ) => agents.message(opened, text, { 'idempotency-key': key, ...more });
  const answers = (...all: { status: number; headers: Record<string, string> }[]) =>
    all.map(({ status, headers }) => [status, headers['idempotency-replayed']]);

  it('gives the same answer again, byte for byte, and does nothing twice', async () => {
    const opened = await agents.open();
    const first = await say(opened, 'one');
    const again = await say(opened, 'one', undefined, own);
    expect(answers(first, again)).to.deep.equal([
      [200, undefined],
      [200, 'true'],
    ]);
    expect(again.text).to.equal(first.text);
    const { browser } = await agents.state(opened.id);
    expect(agents.operations(browser?.sessionId)).to.deep.equal(['navigate']);
  });

  it('says how long to wait for a provider that is down, the second time too', async () => {
    const opened = await agents.open();
    model.fails(new ProviderUnavailable('down', 7));
    for (let n = 0; n < 2; n += 1) {
      const { status, headers } = await say(opened, 'down', 'do it', own);
      expect([status, headers['retry-after']]).to.deep.equal([503, '7']);
    }
  });

  it('is for one session, one message and its approvals', async () => {
    const opened = await agents.open();
    await say(opened, 'same');
    expect((await say(opened, 'same', 'scroll down')).status).to.equal(409);
    const sibling = await agents.open({ account: opened });
    expect((await say(sibling, 'same')).status).to.equal(409);
    const approved = await agents.side.call(`POST /v1/agent-sessions/${opened.id}/message`, {
      token: opened.token,
      headers: { 'idempotency-key': 'same' },
      body: { user_message: 'go to http://sim.test/', approvals: [{ intent_index: 0, approved: true }] },
    });
    expect(approved.status).to.equal(409);
  });

  it('waits for the first request, and asks for a second’s patience meanwhile', async () => {
    const opened = await agents.open();
    const said = `go to ${slowUrl}`;
    const first = say(opened, 'slow', said);
    await page.asked();
    readWhole.length = 0;
    const early = await say(opened, 'slow', said);
    expect([early.status, early.headers['retry-after']]).to.deep.equal([409, '1']);
    expect(readWhole).not.to.include(`agent_session-${uuidOf(opened.id)}`);
    page.comes();
    const { text } = await first;
    expect((await say(opened, 'slow', said)).text).to.equal(text);
  });

  it('stays free where the message was not admitted', async () => {
    const opened = await agents.open();
    const busy = say(opened, 'busy', `go to ${slowUrl}`);
    await page.asked();
    expect((await say(opened, 'free', 'scroll down')).status).to.equal(409);
    page.comes();
    await busy;
    expect((await say(opened, 'free', 'scroll down')).status).to.equal(200);
  });

  it('keeps every refusal of a turn that was admitted, of whatever kind', async () => {
    const account = await agents.side.staff.account('personal');
    const { json } = await agents.side.call('POST /v1/sessions', { token: account.token, body: {} });
    const opened = await agents.open({ account });
    const first = await say(opened, 'full');
    await agents.side.call(`DELETE /v1/sessions/${String(json.id)}`, { token: account.token });
    const again = await say(opened, 'full');
    expect(answers(first, again)).to.deep.equal([
      [429, undefined],
      [429, 'true'],
    ]);
    expect(again.text).to.equal(first.text);
    model.fails(new ProviderUnavailable('down', 3));
    const down = await say(opened, 'down', 'think', own);
    const still = await say(opened, 'down', 'think', own);
    expect(answers(down, still)).to.deep.equal([
      [503, undefined],
      [503, 'true'],
    ]);
    expect(still.text).to.equal(down.text);
  });

  it('stays refused where control changed, with the same evidence', async () => {
    const opened = await agents.open();
    model.plans(async () => {
      await agents.changeMode(opened.id, 'manual');
      return { decision: 'answer', answer: 'Yes.' };
    });
    const first = await say(opened, 'taken', 'are you there?', own);
    await agents.changeMode(opened.id, 'ai');
    const again = await say(opened, 'taken', 'are you there?', own);
    expect(answers(first, again)).to.deep.equal([
      [409, undefined],
      [409, 'true'],
    ]);
    expect(again.text).to.equal(first.text);
  });

  it('is given to a repeated request only once the late first one can do nothing any more', async () => {
    const opened = await agents.open();
    const admission = hold('agent_session');
    const late = say(opened, 'late');
    await admission.reached;
    clock.advance(91_000);
    const other = await agents.side.serve();
    const again = await other.call(`POST /v1/agent-sessions/${opened.id}/message`, {
      token: opened.token,
      headers: { 'idempotency-key': 'late' },
      body: { user_message: 'go to http://sim.test/' },
    });
    await other.close();
    admission.open();
    const { status, json } = await late;
    expect([again.status, status, json.detail]).to.deep.equal([
      ...[200, 409],
      'The request took too long. It may be sent again.',
    ]);
    const turns = (await agents.typesOf(opened.id)).filter((type) => /^(TurnAdmitted|Message)/.test(type));
    expect(turns).to.deep.equal(['MessageWithdrawn', 'TurnAdmitted']);
    expect((await say(opened, 'late')).text).to.equal(again.text);
  });

  describe('whose process died before it kept the answer', () => {
    const said: readonly (readonly [string, string, (opened: Opened) => void])[] = [
      ['a plan that was carried out', 'go to http://sim.test/ then tap selector #missing', () => undefined],
      ['a question', 'which?', () => model.plans({ decision: 'clarify', question: 'What?' })],
      ['a refusal', 'no?', () => model.plans({ decision: 'refuse', reason: 'No.' })],
    ];
    for (const [what, text, prepare] of said) {
      it(`gives ${what} as it was`, async () => {
        const opened = await agents.open();
        prepare(opened);
        const first = await say(opened, 'kept', text, own);
        await agents.changeMode(opened.id, 'manual');
        await forget(opened, 'kept');
        const again = await say(opened, 'kept', text, own);
        expect([again.status, again.headers['idempotency-replayed']]).to.deep.equal([200, 'true']);
        expect(again.text).to.equal(first.text);
      });
    }

    it('gives a result as it was', async () => {
      const opened = await agents.open();
      const headers = { ...own, 'idempotency-key': 'filled' };
      const more = { result_schema: { type: 'object' } };
      model.plans({ decision: 'answer', answer: 'Nineteen.' }).fillsIn({ result: { total: 19 } });
      const first = await agents.message(opened, 'how much?', headers, more);
      expect(first.json, first.text).to.deep.include({ result: { total: 19 }, result_error: null });
      await forget(opened, 'filled');
      const again = await agents.message(opened, 'how much?', headers, more);
      expect([again.status, again.text]).to.deep.equal([200, first.text]);
    });

    it('gives what was logged, and the end of a budget', async () => {
      const manual = await agents.open({ mode: 'manual' });
      const logged = await say(manual, 'logged', 'hello');
      await forget(manual, 'logged');
      expect((await say(manual, 'logged', 'hello')).text).to.equal(logged.text);
      const small = await agents.open({ tokenBudget: 1 });
      model.plans({ decision: 'answer', answer: 'Yes.' });
      await say(small, 'last', 'are you there?', own);
      const exhausted = await say(small, 'exhausted', 'and now?', own);
      expect(exhausted.json.kind).to.equal('refuse');
      await forget(small, 'exhausted');
      expect((await say(small, 'exhausted', 'and now?', own)).text).to.equal(exhausted.text);
    });

    it('gives a problem, and what had been done when control changed, with all there is to know', async () => {
      const opened = await agents.open();
      model.fails(new ProviderUnavailable('down', 3));
      const down = await say(opened, 'was-down', 'think', own);
      await forget(opened, 'was-down');
      const still = await say(opened, 'was-down', 'think', own);
      expect(withoutInstance(still.json)).to.deep.equal(withoutInstance(down.json));
      const said = `go to ${slowUrl} then scroll down`;
      const slow = say(opened, 'was-taken', said);
      await page.asked();
      await agents.changeMode(opened.id, 'manual');
      page.comes();
      const taken = await slow;
      await forget(opened, 'was-taken');
      const again = await say(opened, 'was-taken', said);
      expect(taken.status).to.equal(409);
      expect(withoutInstance(again.json)).to.deep.equal(withoutInstance(taken.json));
    });

    it('stays refused for a turn that was lost', async () => {
      const opened = await agents.open();
      const turnId = randomUUID();
      const at = agents.at();
      const seal = (field: string) => agents.side.vault.seal(opened.accountId, field, '{"body":"x"}');
      await agents.run(opened.id, {
        type: 'AdmitMessage',
        ...{ turnId, sealedMessage: await seal(`agent message ${turnId}`), sealedExhausted: '' },
        ...{ leaseExpiresAt: at, at },
      });
      await say(opened, 'lost', 'scroll down');
      await forget(opened, 'lost', turnId);
      const running = await say(opened, 'lost', 'scroll down');
      expect([running.status, running.headers['retry-after']]).to.deep.equal([409, '1']);
      const later = new Date(Date.now() + 60_000).toISOString();
      await agents.run(opened.id, {
        type: 'AbandonTurn',
        ...{ leaseMs: 1, lastHeartbeatAt: null, heartbeatDueAt: later, at: later },
      });
      for (let time = 0; time < 2; time += 1) {
        const lost = await say(opened, 'lost', 'scroll down');
        expect([lost.status, lost.headers['retry-after']]).to.deep.equal([409, undefined]);
      }
    });

    it('says it anew once the first request has surely died before it was admitted', async () => {
      const opened = await agents.open();
      await say(opened, 'gone', 'go to http://sim.test/');
      await forget(opened, 'gone', randomUUID());
      expect((await say(opened, 'gone')).status).to.equal(409);
      clock.advance(90_000);
      const { status, headers } = await say(opened, 'gone');
      expect([status, headers['idempotency-replayed']]).to.deep.equal([200, undefined]);
    });
  });

  const withoutInstance = ({ instance: _, ...rest }: Record<string, unknown>) => rest;

  /** Leaves the receipt as a process killed before it stored the answer does. */
  async function forget(opened: Opened, key: string, turnId?: string): Promise<void> {
    const uuid = uuidv5(
      JSON.stringify([opened.accountId, 'agent-sessions.message', key]),
      '0b6f3a52-8f1e-4d5c-9f0a-3f6f2f1f7a10',
    );
    const stream = `receipt-${uuid}`;
    const events = await agents.side.events(stream);
    const admitted = events.findLast(({ type }) => type === 'ReceiptAdmitted');
    if (admitted === undefined) throw new Error('There is no receipt.');
    const { data, metadata } = admitted;
    const again = {
      ...Object(data),
      ...(turnId && { resourceId: turnId }),
      at: clock.now().toISOString(),
    } as object;
    const id = randomUUID();
    await agents.side.store.append(stream, BigInt(events.length - 1), [
      { id, type: 'ReceiptAdmitted', data: again, metadata },
    ]);
  }
});
