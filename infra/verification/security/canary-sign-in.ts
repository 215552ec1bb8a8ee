import { caller, type Answer } from '../../http/testing.ts';
import { until, type TestStack } from '../testbed/index.ts';

/** Somebody signs up, gets links, signs in, and tries what is wrong. Gives the answers, and what in them and in mails is secret. */
export async function signUpAndIn(
  stack: TestStack,
  { email, password }: { readonly email: string; readonly password: string },
) {
  const send = caller(Number(new URL(stack.baseUrl).port));
  const [answers, secrets]: [Answer[], string[]] = [[], []];
  const post = async (path: string, body: object) => {
    const answer = await send(`POST /v1/auth/${path}`, { token: null, body });
    answers.push(answer);
    return answer.json;
  };
  const { account_id } = await post('signup', { email, password, legal_revision: '1' });
  const mailed = async (template: string) => {
    const token = await mailedToken(stack, String(account_id), template);
    secrets.push(token);
    return token;
  };
  await post('verify-email', { token: await mailed('account-verification') });
  await post('signup', { email, password, legal_revision: '1' });
  await post('login', { email, password: `${password}!` });
  await post('login', { email, password, extra: 1, legal_revision: 5 });
  const session = await post('login', { email, password });
  const refreshed = await post('refresh', { refresh_token: session.refresh_token });
  await post('magic-link/request', { email });
  const linked = await post('magic-link/consume', { token: await mailed('magic-link') });
  await post('merge/confirm', { token: await mailed('sign-in-merge') });
  await post('password-reset/request', { email });
  const token = await mailed('password-reset');
  await post('password-reset/confirm', { token, password: 'short' });
  await post('password-reset/confirm', { token, password: `${password} anew` });
  for (const json of [session, refreshed, linked]) secrets.push(String(json.refresh_token));
  await post('logout', { refresh_token: linked.refresh_token });
  secrets.push(String(linked.access_token));
  return { answers, secrets };
}

/** Of the link in a mail, read by the operator, who may. */
async function mailedToken(stack: TestStack, accountId: string, template: string): Promise<string> {
  const { id } = await until(async () => {
    const { stdout } = await stack.service('mail', 'list', '--account', accountId, '--json');
    return (JSON.parse(stdout) as { id: string; template: string }[]).find(
      (one) => one.template === template,
    );
  });
  const { stdout } = await stack.service('mail', 'show', id, '--json');
  return String(/\?token=(\S+)/.exec((JSON.parse(stdout) as { text: string }).text)?.[1]);
}
