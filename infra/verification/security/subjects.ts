import type { AccountId, IdKind, WebhookId } from '../../../contracts/ids.ts';
import { aPerson, join } from '../../../write-api/testing/team.ts';
import { soundBodies } from './attacks.ts';
import type { WholeService } from './whole-service.ts';

/** What the routes of the table are about. */
export const subjectKinds = [
  'session',
  'apiKey',
  'webhook',
  'webhookDelivery',
  'webhookReplay',
  'proxy',
  'invitation',
  'membership',
] as const satisfies readonly IdKind[];
export type SubjectKind = (typeof subjectKinds)[number];
export type Subjects = Readonly<Record<SubjectKind, string>>;

export const isSubject = (kind: IdKind): kind is SubjectKind => subjectKinds.some((each) => each === kind);

interface Owner {
  readonly accountId: AccountId;
  readonly token: string;
}

/** Makes one of each kind in an account; `webhookDelivery` and `webhookReplay` are of that `webhook`. */
export async function makeSubjects(service: WholeService, owner: Owner): Promise<Subjects> {
  const webhook = await makeSubject(service, owner, 'webhook');
  const replay = await service.call(`POST /v1/webhooks/${webhook}/replay`, {
    token: owner.token,
    body: soundBodies['webhooks.replay'],
  });
  return {
    session: await makeSubject(service, owner, 'session'),
    apiKey: await makeSubject(service, owner, 'apiKey'),
    webhook,
    webhookDelivery: await service.staff.delivery(owner.accountId, webhook as WebhookId),
    webhookReplay: String(replay.json.id),
    proxy: await makeSubject(service, owner, 'proxy'),
    invitation: await makeSubject(service, owner, 'invitation'),
    membership: String((await join(service, owner, await aPerson(service), 'member')).membership_id),
  };
}

const creations = {
  session: ['/v1/sessions', 'sessions.create'],
  apiKey: ['/v1/api-keys', 'api-keys.create'],
  webhook: ['/v1/webhooks', 'webhooks.create'],
  proxy: ['/v1/account/me/proxies', 'proxies.create'],
  invitation: ['/v1/team/invites', 'team-invites.create'],
} as const;

/** One of a kind that clients create. */
export async function makeSubject(
  { call }: Pick<WholeService, 'call'>,
  { token }: Pick<Owner, 'token'>,
  kind: keyof typeof creations,
): Promise<string> {
  const [path, routeId] = creations[kind];
  const { json } = await call(`POST ${path}`, { token, body: soundBodies[routeId] });
  return String(json.id);
}
