import { expect } from 'chai';
import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import { caller, type Answer } from '../../http/testing.ts';
import { openStream } from '../../../read-api/transcript/testing.ts';
import type { TestStack } from '../testbed/index.ts';
import {
  answering,
  failing,
  planning,
  usingTool,
  type ModelReply,
  type TestModelProvider,
} from '../testbed/model-provider.ts';

/** Secrets that are said, typed, sent along and stored while agents get messages. */
interface Secrets {
  readonly said: string;
  readonly variable: string;
  readonly header: string;
  readonly ownKey: string;
  readonly serviceKey: string;
  readonly refusedKey: string;
  readonly jar: string;
  readonly token: string;
}

export interface AgentTalk {
  /** Answers to be searched. */
  readonly answers: readonly Answer[];
  /** Secrets from answers, which may be nowhere else. */
  readonly given: readonly string[];
  /** Must be run while the account has a stored key. */
  withStoredKey(): Promise<void>;
}

const header = 'x-byok-llm-api-key';

/**
 * Has agents type passwords by the grammar and by a model, with each kind of key, and uses the routes that show or take
 * secrets.
 */
export async function talkToAgents(
  stack: TestStack,
  token: string,
  provider: TestModelProvider,
  secrets: Secrets,
): Promise<AgentTalk> {
  const answers: Answer[] = [];
  const port = Number(new URL(stack.baseUrl).port);
  const send = caller(port);
  const tell: Call = (target, body, headers = {}) =>
    send(target, { token, headers, ...(body !== undefined && { body }) });
  const call: Call = async (...asked) => {
    const answer = await tell(...asked);
    answers.push(answer);
    return answer;
  };
  const opened = await tell('POST /v1/agent-sessions', {}, { 'idempotency-key': 'canary' });
  expect(opened.status, opened.text).to.equal(201);
  const talk = { path: `/v1/agent-sessions/${String(opened.json.id)}`, call, tell, provider, secrets };
  await sayPasswords(talk);
  await runRecipe(talk);
  await useModel(talk);
  await typeVariables(talk);
  const given = [(opened.json.video as Answer['json']).token, ...(await useBrowser(talk))];
  answers.push(...(await readTranscript(port, talk.path, [token, secrets.token])));
  return {
    answers,
    // The secret part of a signed token: its signature.
    given: given.map((shown) => String(shown).split('.').at(-1) ?? ''),
    withStoredKey: async () => {
      expect(await keyOf(talk, 'let me in by my own key', answering('No.'))).to.include(secrets.ownKey);
      await call(`DELETE ${talk.path}`);
    },
  };
}

type Call = (target: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

interface Talk {
  readonly path: string;
  /** Its answers are searched. */
  readonly call: Call;
  /** Its answers contain the secret that was requested. */
  readonly tell: Call;
  readonly provider: TestModelProvider;
  readonly secrets: Secrets;
}

const say = ({ call, path }: Talk, user_message: string, headers = {}): Promise<Answer> =>
  call(`POST ${path}/message`, { user_message }, headers);

/** The key that the model was called with. */
async function keyOf(
  talk: Talk,
  message: string,
  reply: ModelReply,
  headers = {},
): Promise<string | undefined> {
  talk.provider.replies(reply);
  const { status, text } = await say(talk, message, headers);
  expect(status, text).to.equal(200);
  return talk.provider.calls.at(-1)?.key;
}

async function sayPasswords(talk: Talk): Promise<void> {
  const { said } = talk.secrets;
  for (const selector of ['#password', '#missing'])
    for (const headers of [{}, { 'idempotency-key': selector }, { accept: 'text/event-stream' }]) {
      const typing = `go to http://sim.test/login; type password "${said}" into selector ${selector}`;
      const { status, text } = await say(talk, typing, headers);
      expect(status, text).to.equal(200);
      expect(text).to.match(/"sensitive":true/);
    }
}

/** The password as the value of a recipe's parameter, of an accepted type and of another one. */
async function runRecipe({ call, path, secrets: { said } }: Talk): Promise<void> {
  const typing = { kind: 'type', selector: '#password', text: { parameter: 'password' }, sensitive: true };
  const steps = [
    { kind: 'navigate', url: 'http://sim.test/login' },
    { kind: 'interact', action: typing },
  ];
  const saved = await call('POST /v1/recipes', { agent_session_id: path.split('/').at(-1), steps });
  expect(saved.status, saved.text).to.equal(201);
  const recipe = { user_message: `let me in with ${said}`, recipe_id: saved.json.id };
  const run = (password: unknown, headers = {}) =>
    call(`POST ${path}/message`, { ...recipe, parameters: { password } }, headers);
  for (const headers of [{}, { 'idempotency-key': 'recipe' }, { accept: 'text/event-stream' }])
    expect((await run(said, headers)).text).to.match(/"sensitive":true/);
  expect((await run([said])).status).to.equal(400);
}

async function useModel(talk: Talk): Promise<void> {
  const { provider, call, secrets } = talk;
  const [own, refused] = [secrets.header, secrets.refusedKey].map((key) => ({ [header]: `sk-ant-${key}` }));
  const typed = { kind: 'type', selector: '#password', text: secrets.said, sensitive: true } as const;
  const plan = planning([
    { kind: 'navigate', url: 'http://sim.test/login' },
    { kind: 'interact', action: typed },
    { kind: 'wait', condition: { kind: 'text', text: secrets.said }, timeout_ms: 1 },
  ]);
  expect(await keyOf(talk, `let me in as ada / ${secrets.said}`, plan, own)).to.include(secrets.header);
  expect((await say(talk, 'let me in', refused)).json.reason).to.equal('rejected');
  provider.replies(failing(400, { message: `What is ${secrets.header} to say of ${secrets.said}?` }));
  expect((await say(talk, `type password "${secrets.said}" into what is there`, own)).status).to.equal(503);
  await call('PATCH /v1/account/me/bundled-llm-settings', { bundled_llm_consent: true });
  expect(await keyOf(talk, 'let me in at last', answering('No.'))).to.include(secrets.serviceKey);
}

const typingVariable = (value: string): readonly Intent[] => {
  const typed = { kind: 'type', variable: 'key' } as const;
  return [
    { kind: 'navigate', url: 'http://sim.test/login' },
    { kind: 'interact', action: { ...typed, selector: '#password' } },
    { kind: 'navigate', url: `http://sim.test/counter?for=${value}` },
    { kind: 'interact', action: { ...typed, selector: '#missing' } },
  ];
};

/**
 * A sensitive variable: by the grammar, by a model whose plan and answer contain it, echoed in an address, with a
 * result, and with errors of every kind. It is never sent to a model.
 */
async function typeVariables({ call, path, provider, secrets }: Talk): Promise<void> {
  const own = { [header]: `sk-ant-${secrets.header}` };
  const { variable: value } = secrets;
  const asked = provider.calls.length;
  const send = (more: object, headers: Record<string, string> = own) =>
    call(
      `POST ${path}/message`,
      { user_message: `sign in, not with ${value}`, variables: { key: { value } }, ...more },
      headers,
    );
  const plan = typingVariable(value);
  const result_schema = { type: 'object', required: ['key'] };
  for (const headers of [
    own,
    { ...own, 'idempotency-key': 'variable' },
    { ...own, accept: 'text/event-stream' },
  ]) {
    provider.replies(
      usingTool({ decision: 'plan', intents: plan, after: 'look', note: value, picture: true }),
      answering(`It was ${value}.`),
      usingTool({ result: { key: value, [value]: 1 } }, {}, 'result'),
    );
    const { status, text } = await send({ result_schema }, headers);
    expect(status, text).to.equal(200);
    expect(text).to.contain('"variable":"key"').and.to.contain('[hidden]');
  }
  const byGrammar = 'go to http://sim.test/login; type variable "key" into selector #password';
  expect((await send({ user_message: byGrammar }, {})).json.ok).to.equal(true);
  await approve(send, provider, value);
  provider.replies(failing(400, { message: `What is ${value}?` }));
  expect((await send({})).status).to.equal(503);
  for (const variables of [{ key: value }, { 'no name': { value } }, { key: { value: `${value}\0` } }])
    expect((await send({ variables })).status).to.equal(400);
  const told = JSON.stringify(provider.calls.slice(asked).map(({ body }) => body));
  expect(told).to.contain('Variables of the message: key').and.not.to.contain(value);
}

/**
 * An address that contains the value and was not in the message: needs approval in a later round, and is opened once approved.
 */
async function approve(
  send: (more: object) => Promise<Answer>,
  provider: TestModelProvider,
  value: string,
): Promise<void> {
  const away: Intent = { kind: 'navigate', url: `http://else.test/?for=${value}` };
  const first: Intent = { kind: 'navigate', url: 'http://sim.test/login' };
  provider.replies(usingTool({ decision: 'plan', intents: [first], after: 'look' }), planning([away]));
  const asked = await send({});
  expect(asked.json).to.include({ kind: 'plan-executed', ok: false });
  expect(asked.json.clarifying_question).to.contain('http://else.test/?for=[hidden]');
  provider.replies(planning([away]));
  const done = await send({ approvals: [{ intent_index: 1, approved: true }] });
  expect(done.json, done.text).to.include({ kind: 'plan-executed', ok: true });
}

/** Returns the secrets of the video connection. */
async function useBrowser({ path, call, tell, secrets }: Talk): Promise<readonly unknown[]> {
  for (const name of ['good', 'b;d'])
    await call(`POST ${path}/cookies/set`, { cookies: [{ domain: 'sim.test', name, value: secrets.jar }] });
  expect((await tell(`GET ${path}/cookies`)).text).to.include(secrets.jar);
  const [control, video] = [
    await tell(`GET ${path}/gui-control-key`),
    await tell(`POST ${path}/video-token`),
  ];
  expect([control.status, video.status]).to.deep.equal([200, 200]);
  return [control.json.key, video.json.token];
}

/** Reads the transcript as a page and as a stream, by a credential in the query. */
async function readTranscript(port: number, path: string, credentials: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const credential of credentials) {
    const asked = `${path}/transcript?token=${credential}`;
    answers.push(await caller(port)(`GET ${asked}`, { token: null }));
    const stream = await openStream(port, asked, {});
    if (stream.status === 200) await stream.received(10);
    answers.push({ status: stream.status, headers: {}, text: stream.text(), json: {} });
    stream.leave();
  }
  expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 401, 401]);
  return answers;
}
