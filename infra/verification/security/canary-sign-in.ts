import { Secret, TOTP } from 'otpauth';
import { deviceGrantType } from '../../../contracts/oauth.ts';
import { caller, type Answer } from '../../http/testing.ts';
import { until, type TestStack } from '../testbed/index.ts';

type Post = (path: string, body: object, token?: string) => Promise<Answer['json']>;

/** The answers to be searched, and the secrets from them, from others and from mails. */
interface Found {
  readonly answers: Answer[];
  readonly secrets: string[];
}

/** Signs up, gets links, signs in, and tries wrong credentials. */
export async function signUpAndIn(
  stack: TestStack,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Found> {
  const send = caller(Number(new URL(stack.baseUrl).port));
  const [answers, secrets]: [Answer[], string[]] = [[], []];
  const post: Post = async (path, body, token) => {
    const answer = await send(`POST /v1/${path}`, { token: token ?? null, body });
    if (!showsOnce.has(path)) answers.push(answer);
    secrets.push(...tokensIn(answer.json));
    return answer.json;
  };
  const { account_id } = await post('auth/signup', { email, password, legal_revision: '1' });
  const mailed = async (template: string) => {
    const token = await mailedToken(stack, String(account_id), template);
    secrets.push(token);
    return token;
  };
  await post('auth/verify-email', { token: await mailed('account-verification') });
  await post('auth/signup', { email, password, legal_revision: '1' });
  await post('auth/login', { email, password: `${password}!` });
  await post('auth/login', { email, password, extra: 1, legal_revision: 5 });
  const session = await post('auth/login', { email, password });
  await post('auth/refresh', { refresh_token: session.refresh_token });
  await authoriseDevice(post, String(session.access_token));
  await post('auth/magic-link/request', { email });
  const linked = await post('auth/magic-link/consume', { token: await mailed('magic-link') });
  await post('auth/merge/confirm', { token: await mailed('sign-in-merge') });
  secrets.push(...(await useSecondFactor(post, String(linked.access_token), { email, password })));
  await post('auth/password-reset/request', { email });
  const token = await mailed('password-reset');
  await post('auth/password-reset/confirm', { token, password: 'short' });
  await post('auth/password-reset/confirm', { token, password: `${password} anew` });
  await post('auth/logout', { refresh_token: linked.refresh_token });
  return { answers, secrets };
}

/** An answer that shows a secret for the only time, and so is not searched. */
const showsOnce = new Set(['auth/mfa/enroll', 'auth/mfa/confirm', 'oauth/device_authorization']);

/** The tokens of an answer. Of a signed one, its signature. */
const tokensIn = (json: Answer['json']): string[] =>
  [json.access_token, json.refresh_token, json.mfa_token].flatMap((token) =>
    typeof token === 'string' ? [token.split('.').at(-1) ?? token] : [],
  );

/**
 * Enrols a second factor, sends codes that are right, wrong and used, and disables it. Returns its secret and recovery
 * codes.
 */
async function useSecondFactor(
  post: Post,
  token: string,
  login: { readonly email: string; readonly password: string },
): Promise<string[]> {
  const secret = String((await post('auth/mfa/enroll', {}, token)).secret);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirmed = await post('auth/mfa/confirm', { code }, token);
  const codes = confirmed.recovery_codes as string[];
  const { mfa_token } = await post('auth/login', login);
  for (const given of [codes[0], codes[0], `${codes[1]}0`])
    await post('auth/mfa/login', { mfa_token, code: given });
  await post('auth/mfa/step-up', { code }, token);
  await post('auth/mfa/step-up', { code: codes[2] }, token);
  await post('auth/mfa/disable', { code: codes[3] }, token);
  return [secret, ...codes, ...codes.map((each) => each.replace('-', ''))];
}

/** A device that gets and refreshes tokens, and uses them where they are invalid. */
async function authoriseDevice(post: Post, token: string): Promise<void> {
  const client_id = 'service-desktop';
  const { device_code, user_code } = await post('oauth/device_authorization', { client_id });
  await post('oauth/device', { user_code, approve: true }, token);
  const { refresh_token } = await post('oauth/token', {
    grant_type: deviceGrantType,
    device_code,
    client_id,
  });
  const next = await post('oauth/token', { grant_type: 'refresh_token', refresh_token, client_id });
  await post('auth/refresh', { refresh_token: next.refresh_token });
  await post('api-keys', { name: 'none' }, String(next.access_token));
}

/** The token of the link in a mail, which the operator may read. */
export async function mailedToken(stack: TestStack, accountId: string, template: string): Promise<string> {
  const { id } = await until(async () => {
    const { stdout } = await stack.service('mail', 'list', '--account', accountId, '--json');
    return (JSON.parse(stdout) as { id: string; template: string }[]).find(
      (one) => one.template === template,
    );
  });
  const { stdout } = await stack.service('mail', 'show', id, '--json');
  return String(/\?token=(\S+)/.exec((JSON.parse(stdout) as { text: string }).text)?.[1]);
}
