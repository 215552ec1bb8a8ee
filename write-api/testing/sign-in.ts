import { randomUUID } from 'node:crypto';
import type { TokenPurpose } from '../../contracts/events/login.ts';
import type { Answer, caller } from '../../infra/http/testing.ts';
import { createOneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import type { RecordedEvent } from '../../infra/event-store/client/index.ts';
import { peppers } from './config.ts';

interface Mailbox {
  readonly events: (stream: string) => Promise<readonly RecordedEvent[]>;
}

/** The tokens mailed to an account for a purpose, oldest first, from the links of its mails. */
async function sentTokens({ events }: Mailbox, accountId: string, purpose: TokenPurpose): Promise<string[]> {
  const subject = accountId.slice('acc_'.length);
  const tokens = createOneTimeTokens(peppers);
  return (await events(`login-${subject}`)).flatMap(({ type, data }) => {
    const issued = data as { purpose: string; nonce: string };
    if (type !== 'OneTimeTokenIssued' || issued.purpose !== purpose) return [];
    return [tokens.textOf({ purpose, subject, nonce: issued.nonce })];
  });
}

/** The last of them, which is the valid one. */
const lastToken = (mailbox: Mailbox, accountId: string, purpose: TokenPurpose): Promise<string> =>
  until(async () => (await sentTokens(mailbox, accountId, purpose)).at(-1));

export const goodPassword = 'purple-otter-42-sings';

interface Side extends Mailbox {
  readonly call: ReturnType<typeof caller>;
}

/** People who sign up, read their mail and sign in. */
export function peopleOn(side: Side) {
  const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
    side.call(`POST /v1/auth/${path}`, { token: null, body, headers });
  const signUp = async (email = `${randomUUID()}@example.com`, password = goodPassword) => {
    const answer = await post('signup', { email, password, legal_revision: '2026-01' });
    return { answer, email, accountId: String(answer.json.account_id) };
  };
  const verify = async (accountId: string) =>
    post('verify-email', { token: await lastToken(side, accountId, 'verification') });
  return {
    post,
    signUp,
    verify,
    sent: (accountId: string, purpose: TokenPurpose) => sentTokens(side, accountId, purpose),
    token: (accountId: string, purpose: TokenPurpose) => lastToken(side, accountId, purpose),
    /** A person with a verified address. */
    async person() {
      const { email, accountId } = await signUp();
      await verify(accountId);
      return { email, accountId };
    },
    signIn: (email: string, password = goodPassword) => post('login', { email, password }),
    /** Requests a link, and returns its token. */
    async link(accountId: string, email: string, purpose: 'magic_link' | 'password_reset') {
      const before = (await sentTokens(side, accountId, purpose)).length;
      await post(`${purpose.replace('_', '-')}/request`, { email });
      return until(async () => (await sentTokens(side, accountId, purpose))[before]);
    },
  };
}

export const slugOf = ({ json }: Answer): string | undefined => String(json.type).split('/').at(-1);
/** The status and, for a problem, its slug. */
export const outcomeOf = (answer: Answer) =>
  answer.status < 400 ? answer.status : `${answer.status} ${slugOf(answer) ?? ''}`;
