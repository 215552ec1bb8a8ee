import { expect } from 'chai';
import type { Answer } from '../../http/testing.ts';
import type { TestStack } from '../testbed/index.ts';
import { mailedToken } from './canary-sign-in.ts';
import type { Garden } from './planting.ts';

/** Plants texts that no single request can plant, because other steps are needed first. */
export async function plantByHand(garden: Garden, stack: TestStack, token: string): Promise<void> {
  await moveProfile(garden, token);
  await runRecipe(garden, token);
  await takeOver(garden, token);
  await order(garden, token);
  await signIn(garden, stack);
}

/** Sends a request with texts in these fields, and records its outcome. */
async function plant(
  { call, answers }: Garden,
  target: string,
  fields: readonly string[],
  options: { readonly token: string | null; readonly body: object },
): Promise<Answer> {
  const answer = await call(target, options);
  expect(answer.status, `${target}: ${answer.text}`).to.be.below(300);
  fields.forEach((field) => answers.set(field, answer));
  return answer;
}

/** Signs up, signs in and chooses another password. */
async function signIn(garden: Garden, stack: TestStack): Promise<void> {
  const { planted } = garden;
  const fields = ['email', 'password', 'legal_revision'].map((field) => `auth.signup.${field}`);
  const [name = '', password = '', legal_revision = ''] = fields.map((field) => planted.text(field));
  const email = `${name}@example.com`;
  const post = (path: string, planting: readonly string[], body: object) =>
    plant(garden, `POST /v1/auth/${path}`, planting, { token: null, body });
  const { json } = await post('signup', fields, { email, password, legal_revision });
  const mailed = (template: string) => mailedToken(stack, String(json.account_id), template);
  await post('verify-email', [], { token: await mailed('account-verification') });
  planted.also('auth.login.email', name);
  planted.also('auth.login.password', password);
  await post('login', ['auth.login.email', 'auth.login.password'], { email, password });
  await post('password-reset/request', [], { email });
  const field = 'auth.password-reset.confirm.password';
  const changed = { token: await mailed('password-reset'), password: planted.text(field) };
  await post('password-reset/confirm', [field], changed);
}

/** Exports and imports a profile under a passphrase. */
async function moveProfile(garden: Garden, token: string): Promise<void> {
  const { planted, call } = garden;
  const passphrase = planted.text('profiles.import.passphrase');
  planted.also('profiles.export.passphrase', passphrase);
  const made = await call('POST /v1/profiles', { token, body: { name: 'to be moved' } });
  const path = `/v1/profiles/${String(made.json.id)}`;
  const exported = await call(`POST ${path}/export`, { token, body: { passphrase } });
  const body = { name: planted.text('profiles.import.name'), data: exported.json.data, passphrase };
  const fields = ['profiles.import.name', 'profiles.import.passphrase'];
  await plant(garden, 'POST /v1/profiles/import', fields, { token, body });
}

/** An agent session with an executed turn, so that recipes can be made of it. */
export async function agentSession({ call }: Pick<Garden, 'call'>, token: string): Promise<string> {
  const opened = await call('POST /v1/agent-sessions', { token, body: {} });
  const id = String(opened.json.id);
  const body = { user_message: 'go to http://sim.test/login' };
  const said = await call(`POST /v1/agent-sessions/${id}/message`, { token, body });
  expect(said.json.ok, said.text).to.equal(true);
  return id;
}

/** Saves and runs a recipe with a value for its parameter, then sends a message that needs a model. */
async function runRecipe(garden: Garden, token: string): Promise<void> {
  const { planted, call } = garden;
  const agent_session_id = await agentSession(garden, token);
  const action = { kind: 'type', selector: '#password', text: { parameter: 'password' }, sensitive: true };
  const steps = [
    { kind: 'navigate', url: 'http://sim.test/login' },
    { kind: 'interact', action },
  ];
  const saved = await call('POST /v1/recipes', { token, body: { agent_session_id, steps } });
  const message = `POST /v1/agent-sessions/${agent_session_id}/message`;
  const [said, values] = ['agent-sessions.message.user_message', 'agent-sessions.message.parameters.*'];
  const parameters = { password: planted.text(values) };
  const body = { user_message: planted.text(said), recipe_id: saved.json.id, parameters };
  await plant(garden, message, [said, values], { token, body });
  await plant(garden, message, [said], { token, body: { user_message: planted.text(said) } });
  const schema = 'agent-sessions.message.result_schema.*';
  const result_schema = { type: 'object', description: planted.text(schema) };
  await plant(garden, message, [schema], { token, body: { user_message: 'scroll down', result_schema } });
}

async function takeOver(garden: Garden, token: string): Promise<void> {
  const opened = await garden.call('POST /v1/agent-sessions', { token, body: { mode: 'pair' } });
  const field = 'agent-sessions.takeover.client_id';
  const target = `POST /v1/agent-sessions/${String(opened.json.id)}/takeover`;
  await plant(garden, target, [field], { token, body: { client_id: garden.planted.text(field) } });
}

/** The payment address is not the customer's text, but belongs to them alone. */
async function order(garden: Garden, token: string): Promise<void> {
  const body = { product: 'api_builder_month', pay_currency: 'btc' };
  const placed = await plant(garden, 'POST /v1/billing/crypto-checkout', [], { token, body });
  garden.planted.also('the address to pay to', String(placed.json.pay_address));
}
