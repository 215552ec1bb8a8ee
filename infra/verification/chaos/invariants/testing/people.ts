import type { ReceivedMail } from '../../../testbed/index.ts';
import type { LogEvent } from '../../evidence/index.ts';
import type { Exchange } from '../../history.ts';
import { account, done, event, inOrder } from './index.ts';

const uuid = account.slice('acc_'.length);
export const member = 'acc_00000000-0000-4000-8000-0000000000ff';
export const email = 'ada@example.org';
const [team, login, mail] = [`team_member-${uuid}`, `login-${uuid}`, `mail-${uuid}`];
const mailId = `mail_${uuid}`;
const [at, later] = ['2026-01-05T12:00:00.000Z', '2026-01-05T13:00:00.000Z'];

const seat = { ownerAccountId: account, accountId: member };
export const invited = (requestId = 'invite'): LogEvent =>
  event('TeamMemberInvited', { stream: team, requestId, data: { ...seat, expiresAt: later } });
export const joined = (requestId = 'accept'): LogEvent =>
  event('TeamMemberJoined', { stream: team, requestId, data: seat });
export const removed = (): LogEvent =>
  event('TeamMemberRemoved', { stream: team, requestId: 'remove', data: seat });

/** A member is removed at 2,000, and the answer arrives at 2,100. */
export const removal = (): Exchange =>
  done('remove', 'remove-member', { status: 204, sentAt: 2_000, answeredAt: 2_100 });
/** Sent on the owner's account. */
export const act = (sentAt: number, changes: Partial<Exchange> = {}): Exchange =>
  done('act', 'act-on-owner', {
    account: member,
    on: account,
    target: 'PUT /v1/account/me/organization',
    sentAt,
    answeredAt: sentAt + 50,
    ...changes,
  });
export const accepting = (sentAt: number): Exchange =>
  done('accept', 'accept-invitation', {
    status: 201,
    sentAt,
    answeredAt: sentAt + 50,
    body: { token: 'inv' },
  });

export const signUp = (id: string, changes: Partial<Exchange> & { status?: number; text?: string } = {}) =>
  done(id, 'sign-up', {
    status: 201,
    text: JSON.stringify({ account_id: account }),
    target: 'POST /v1/auth/signup',
    body: { email },
    ...changes,
  });
export const made = (requestId: string, accountId = account): LogEvent =>
  event('AccountCreated', { stream: `account-${accountId.slice(4)}`, requestId, data: { accountId } });
export const issued = (purpose: string, requestId: string, expiresAt = later): LogEvent =>
  event('OneTimeTokenIssued', { stream: login, requestId, data: { purpose, expiresAt } });
export const loginEvent = (type: string, requestId: string, data = {}): LogEvent =>
  event(type, { stream: login, requestId, data });
export const opened = (requestId: string, epoch: number): LogEvent =>
  event('WebSessionOpened', { stream: `web_session-${requestId}`, requestId, data: { epoch } });

/** Presents the token of a link. */
export const using = (id: string, action: string, status = 200): Exchange =>
  done(id, action, { status, body: { token: 'token' } });

/** A mail in the log, and as the mail server got it. */
export const queued = (template: string, ...ends: readonly LogEvent[]): readonly LogEvent[] =>
  inOrder(event('MailQueued', { stream: mail, data: { mailId, template, at } }), ...ends);
export const sent = (): LogEvent => event('MailSent', { stream: mail });
export const abandoned = (reason: string): LogEvent =>
  event('MailAbandoned', { stream: mail, data: { reason } });
export const taken = (to = email): ReceivedMail => ({
  from: 'service@example.com',
  to: [to],
  isEncrypted: false,
  source: [
    `Message-ID: <${mailId}@example.com>`,
    'X-Service-Template: account-verification',
    'Content-Type: multipart/alternative; boundary="part"',
    '',
    '--part',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'https://service.example/console/verify?token=token',
    '--part',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p></p>',
    '--part--',
    '',
  ].join('\r\n'),
});
