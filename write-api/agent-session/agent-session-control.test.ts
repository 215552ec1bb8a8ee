import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf, type SessionId } from '../../contracts/ids.ts';
import type { RecordedEvent } from '../../infra/event-store/client/index.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';
import { agentClient, slugOf, type AgentClient } from '../testing/agent-client.ts';

let side: WriteSide;
let client: AgentClient;
let account: Awaited<ReturnType<WriteSide['staff']['account']>>;
before(async () => {
  side = await startWriteSide();
});
after(() => side.close());
beforeEach(async () => {
  account = await side.staff.account('team');
  client = agentClient(side, account);
});

const created = async (body?: object) => String((await client.create(body)).json.id);
const tap = { type: 'tap', x: 10, y: 20 };

/** An agent session in a turn that was to start this driver session. */
const spawning = async (sessionId: SessionId) => {
  const id = await created();
  const [turnId, at] = [await client.turn(id), new Date().toISOString()];
  const step = { turnId, sealedInterrupted: 'sealed', heartbeatDueAt: at, at };
  await client.decide(id, { type: 'SpawnDriverSession', ...step, sessionId });
  return id;
};

/** An agent session paused by a challenge of its driver session. */
const paused = async (body: object = {}) => {
  const service_session_id = String((await client.call('POST /v1/sessions', {})).json.id) as `ses_${string}`;
  const id = await created({ ...body, service_session_id });
  const challenge = { sessionId: service_session_id, challengeId: 'chl_1', at: new Date().toISOString() };
  await client.decide(id, { type: 'Pause', ...challenge });
  return id;
};

describe('every route on an agent session', () => {
  const calls: readonly (readonly [string, string, object?])[] = [
    ['DELETE', ''],
    ['POST', '/mode', { mode: 'manual' }],
    ['POST', '/input-event', { event: tap }],
    ['POST', '/takeover', { client_id: 'a' }],
    ['POST', '/handback', {}],
    ['POST', '/resume', {}],
  ];
  for (const [method, path, body] of calls) {
    it(`${method} ${path} finds the account’s own alone, before it looks at the body`, async () => {
      const theirs = await created();
      const stranger = agentClient(side, await side.staff.account('team'));
      for (const id of [theirs, 'agt_nonsense', 'agt_0197f1a0-0000-7000-8000-000000000000']) {
        const answer = await stranger.call(`${method} /v1/agent-sessions/${id}${path}`, body ?? {});
        expect([answer.status, slugOf(answer)]).to.deep.equal([404, 'not-found']);
      }
    });
    it(`${method} ${path} takes broad write`, async () => {
      const id = await created();
      const token = await side.staff.token(account.accountId, ['read', 'write:sessions']);
      const answer = await agentClient(side, { ...account, token }).call(
        `${method} /v1/agent-sessions/${id}${path}`,
        body ?? {},
      );
      expect([answer.status, slugOf(answer)]).to.deep.equal([403, 'forbidden']);
    });
  }
});

describe('DELETE /v1/agent-sessions/{id}', () => {
  it('closes, and answers with the session; again with the same', async () => {
    const id = await created();
    const first = await client.close(id);
    expect(first.status).to.equal(200);
    expect(first.json).to.deep.include({ id, status: 'closed', closed_reason: 'customer-closed' });
    expect(first.json.closed_at).to.equal(first.json.updated_at);
    expect((await client.close(id)).json).to.deep.equal(first.json);
    expect((await client.types(id)).filter((type) => type === 'AgentSessionClosed')).to.have.length(1);
  });
  it('closes a paused one too', async () => {
    expect((await client.close(await paused())).json.status).to.equal('closed');
  });
  it('leaves the driver session that it was given', async () => {
    const service_session_id = String((await client.call('POST /v1/sessions', {})).json.id);
    await client.close(await created({ service_session_id }));
    const state = await client.call(`GET /v1/sessions/${service_session_id}/state`);
    expect(state.status).to.equal(200);
  });
  it('has ended the driver session that it had started when it answers', async () => {
    const session = await client.call('POST /v1/sessions', {});
    const sessionId = String(session.json.id) as SessionId;
    const { json } = await client.close(await spawning(sessionId));
    expect(json.service_session_id).to.equal(sessionId);
    expect((await client.call(`GET /v1/sessions/${sessionId}/state`)).status).to.equal(410);
  });
  it('names no driver session that was never started, and can no longer be', async () => {
    const sessionId = toId('session', randomUUID());
    const id = await spawning(sessionId);
    const { status, json } = await client.close(id);
    expect([status, json.status, json.service_session_id]).to.deep.equal([200, 'closed', null]);
    expect((await client.close(id)).json).to.deep.equal(json);
    expect((await client.call(`GET /v1/sessions/${sessionId}/state`)).status).to.equal(404);
    const requested = (await side.events(`session-${uuidOf(sessionId)}`)).map(({ type }) => type);
    expect(requested).to.deep.equal(['SessionWithdrawn']);
  });
});

describe('POST /v1/agent-sessions/{id}/mode', () => {
  it('moves between all of them, and starts and clears the state of pair mode', async () => {
    const id = await created();
    for (const [mode, state] of [
      ['pair', { kind: 'ai-driving' }],
      ['manual', null],
      ['pair', { kind: 'ai-driving' }],
      ['ai', null],
    ] as const) {
      const { status, json } = await client.on(id, 'mode', { mode });
      expect([status, json.mode, json.pair_mode_state]).to.deep.equal([200, mode, state]);
    }
  });
  it('returns the session unchanged for the mode that it has, and records nothing', async () => {
    const { json } = await client.create();
    expect((await client.on(json.id, 'mode', { mode: 'ai' })).json).to.deep.equal(json);
    expect(await client.types(json.id)).to.deep.equal(['AgentSessionCreated']);
  });
  it('needs a tier with agents for ai and pair, and none for manual', async () => {
    const without = agentClient(side, await side.staff.account('personal'));
    const id = (await without.create({ mode: 'manual' })).json.id;
    for (const mode of ['ai', 'pair']) {
      const answer = await without.on(id, 'mode', { mode });
      expect([answer.status, slugOf(answer)]).to.deep.equal([403, 'forbidden']);
    }
    expect((await without.on(id, 'mode', { mode: 'manual' })).status).to.equal(200);
    await without.close(id);
    expect((await without.on(id, 'mode', { mode: 'ai' })).status).to.equal(403);
  });
  it('needs an active session', async () => {
    const closed = await created();
    await client.close(closed);
    for (const id of [closed, await paused()]) {
      const answer = await client.on(id, 'mode', { mode: 'manual' });
      expect([answer.status, slugOf(answer)]).to.deep.equal([409, 'conflict']);
    }
  });
  it('refuses any other mode', async () => {
    const answer = await client.on(await created(), 'mode', { mode: 'auto' });
    expect([answer.status, slugOf(answer)]).to.deep.equal([400, 'validation-failed']);
  });
});

describe('POST /v1/agent-sessions/{id}/takeover', () => {
  it('is pending for the client that asked, and the same for it again', async () => {
    const id = await created({ mode: 'pair' });
    const first = await client.on(id, 'takeover', { client_id: 'a' });
    expect(first.status).to.equal(200);
    expect(first.json.pair_mode_state).to.include({ kind: 'takeover-pending', requestedByClientId: 'a' });
    expect((await client.on(id, 'takeover', { client_id: 'a' })).json).to.deep.equal(first.json);
  });
  it('goes to exactly one of several clients, whom the refusals name', async () => {
    const id = await created({ mode: 'pair' });
    const clients = Array.from({ length: 10 }, (_, index) => `client-${index}`);
    const answers = await Promise.all(clients.map((client_id) => client.on(id, 'takeover', { client_id })));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).to.have.length(1);
    const winner = (won[0]?.json.pair_mode_state as { requestedByClientId: string }).requestedByClientId;
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect([answer.status, slugOf(answer)]).to.deep.equal([409, 'pair-mode-conflict']);
      expect(answer.json.winner_client_id).to.equal(winner);
    }
  });
  it('is queued behind a turn', async () => {
    const id = await created({ mode: 'pair' });
    await client.turn(id);
    const { json } = await client.on(id, 'takeover', { client_id: 'a' });
    expect(json.pair_mode_state).to.include({ kind: 'takeover-queued', requestedByClientId: 'a' });
  });
  it('is for pair sessions, and needs to know the client', async () => {
    for (const mode of ['ai', 'manual']) {
      const answer = await client.on(await created({ mode }), 'takeover', { client_id: 'a' });
      expect([answer.status, slugOf(answer)]).to.deep.equal([409, 'conflict']);
    }
    expect((await client.on(await created({ mode: 'pair' }), 'takeover', {})).status).to.equal(400);
  });
});

describe('POST /v1/agent-sessions/{id}/handback', () => {
  it('is a conflict as long as takeovers are disabled', async () => {
    const id = await created({ mode: 'pair' });
    for (const before of ['nothing', 'a takeover']) {
      if (before === 'a takeover') await client.on(id, 'takeover', { client_id: 'a' });
      const answer = await client.on(id, 'handback');
      expect([answer.status, slugOf(answer)], before).to.deep.equal([409, 'pair-mode-conflict']);
    }
  });
  it('is the same conflict outside of pair mode, and another one in a session that is not active', async () => {
    for (const mode of ['ai', 'manual']) {
      const answer = await client.on(await created({ mode }), 'handback', {});
      expect([answer.status, slugOf(answer)], mode).to.deep.equal([409, 'pair-mode-conflict']);
    }
    const answer = await client.on(await paused(), 'handback', {});
    expect([answer.status, slugOf(answer)]).to.deep.equal([409, 'conflict']);
  });
  it('is pending for a person who drives', async () => {
    const id = await created({ mode: 'pair' });
    await client.on(id, 'takeover', { client_id: 'a' });
    const at = new Date().toISOString();
    await client.decide(id, { type: 'GrantTakeover', clientId: 'a', heartbeatDueAt: at, at });
    const { status, json } = await client.on(id, 'handback', {});
    expect(status).to.equal(200);
    expect(Object.keys(json.pair_mode_state as object)).to.deep.equal(['kind', 'requestedAt']);
    expect(json.pair_mode_state).to.include({ kind: 'handback-pending' });
  });
});

describe('POST /v1/agent-sessions/{id}/resume', () => {
  it('is accepted while the session is paused, for its challenge or for any', async () => {
    const id = await paused();
    for (const body of [undefined, {}, { challenge_id: 'chl_1' }]) {
      const { status, json } = await client.on(id, 'resume', body);
      expect([status, json]).to.deep.equal([202, { status: 'resume_requested', session_id: id }]);
    }
  });
  it('is refused for another challenge, and when the session is not paused', async () => {
    const answers = [
      await client.on(await paused(), 'resume', { challenge_id: 'chl_2' }),
      await client.on(await created(), 'resume'),
    ];
    for (const answer of answers) expect([answer.status, slugOf(answer)]).to.deep.equal([409, 'conflict']);
  });
});

describe('what is recorded of control', () => {
  const dataOf = (events: readonly RecordedEvent[], wanted: string) =>
    events.find(({ type }) => type === wanted)?.data;

  it('is who asked for what, by the credential of the request', async () => {
    const id = await created({ mode: 'ai' });
    await client.on(id, 'mode', { mode: 'pair' });
    await client.on(id, 'takeover', { client_id: 'a' });
    await client.close(id);
    const events = await client.events(id);
    expect(dataOf(events, 'ModeChanged')).to.deep.include({ from: 'ai', mode: 'pair', epoch: 2 });
    expect(dataOf(events, 'TakeoverRequested')).to.deep.include({ clientId: 'a', trigger: 'takeover' });
    expect(dataOf(events, 'AgentSessionClosed')).to.deep.include({ reason: 'customer-closed' });
    for (const { metadata } of events)
      expect(metadata.actor).to.include({ kind: 'api_key', account_id: account.accountId });
  });
});
