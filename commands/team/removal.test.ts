import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { createOneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import { hashApiKey, issueApiKey, keyedUuid, onlyPepper } from '../../infra/keys/index.ts';
import { parseMail } from '../../infra/verification/testbed/mail-parts.ts';
import {
  toId,
  uuidOf,
  type AccountId,
  type ApiKeyId,
  type MailId,
  type WebhookId,
} from '../../contracts/ids.ts';
import { apiKey } from '../../domain/api-key.ts';
import { createApiKeyCommands } from '../api-key/index.ts';
import { sendMail } from '../mail/index.ts';
import { openMailWorld, type MailWorld } from '../process-managers/mail/testing.ts';
import { teamRemovalsManager } from '../process-managers/index.ts';
import { keyRotationsManager } from '../process-managers/managers.ts';
import { newContext } from '../session/testing.ts';
import { actingContext, createTeamCommands } from './index.ts';
import { invitationToken } from './invitation.ts';
import { madeBy } from './made-by.ts';

const pepper = 'a pepper for tests';
const tokens = createOneTimeTokens(onlyPepper(pepper));

describe('a removal from a team whose process was killed', () => {
  let world: MailWorld;
  before(async () => {
    world = await openMailWorld();
  });
  after(() => world.close());

  const teamOf = () =>
    createTeamCommands({
      ...world,
      ...{ tokens, emailUuid: (email: string) => keyedUuid(email, pepper) },
      inviteTtlMs: 86_400_000,
      recordPosition: () => Promise.resolve(),
    });
  const keysOf = () =>
    createApiKeyCommands({
      ...world,
      ...{ issueKey: issueApiKey, hashKey: (text: string) => hashApiKey(text, pepper), graceMs: 1000 },
    });
  const eventsOf = async (stream: string) => {
    const events: RecordedEvent[] = [];
    for await (const event of world.store.readStream(stream)) events.push(event);
    return events;
  };

  /** An admin has made a key, and is removed by a process that dies right after. `more`: ids of further keys. */
  async function removed(revokes: boolean, more: readonly ApiKeyId[] = []) {
    const [team, email] = [teamOf(), `${randomUUID()}@invited.example`];
    const [owner, admin] = [await world.newOwner(), await world.newOwner(email)];
    const context = newContext(owner.accountId);
    const { invitation } = await team.invite({ ...owner, tier: 'team' }, { email, role: 'admin' }, context);
    const seat = uuidOf(invitation.id);
    const [invited] = await eventsOf(`team_member-${seat}`);
    const { tokenId } = invited?.data as { tokenId: string };
    const token = tokens.textOf(invitationToken(seat, tokenId));
    const { membership } = await team.accept(admin.accountId, token, newContext(admin.accountId));
    const acting = actingContext(newContext(admin.accountId), owner.accountId, admin.accountId);
    const key = { name: 'theirs', scopes: ['read' as const], expiresAt: null };
    const keys = keysOf();
    const { record: ended } = await keys.create(owner.accountId, key, 'staff', acting);
    await keys.revoke(await keys.find(owner.accountId, ended.apiKeyId), 'owner', context);
    const again = { ...acting, commandId: randomUUID() };
    const { record } = await keys.create(owner.accountId, key, 'staff', again);
    const found = await madeBy(world, owner.accountId, admin.accountId);
    expect(found).to.deep.equal({ apiKeys: [record.apiKeyId], webhooks: [] });
    const made = { ...found, apiKeys: [...found.apiKeys, ...more] };
    const member = await team.findMember(owner.accountId, membership.membership_id);
    await team.remove(member, { made, revokes }, context);
    return { owner, seat, keyId: record.apiKeyId };
  }

  async function react(seat: string) {
    const manager = teamRemovalsManager({ ...world, apiKeys: keysOf() });
    for (const event of await eventsOf(`team_member-${seat}`)) await manager.handle(event);
  }

  const lastOfKey = async (keyId: string) => (await eventsOf(`api_key-${uuidOf(keyId)}`)).at(-1)?.type;

  /** The one mail to the owner, as received. */
  async function mailTo({ accountId, email }: { readonly accountId: AccountId; readonly email: string }) {
    const ids: MailId[] = [];
    for await (const { stream, type, data } of world.store.readAll({ prefixes: ['mail-'] }))
      if (type === 'MailQueued' && (data as { accountId?: AccountId }).accountId === accountId)
        ids.push(`mail_${stream.slice(5)}`);
    expect(ids).to.have.length(1);
    for (const id of ids) await sendMail(world.sending, id);
    const sent = world.server.received.find(({ to }) => to.includes(email));
    return parseMail(sent?.source ?? '');
  }

  it('ends the keys as requested, and notifies the owner once', async () => {
    const { owner, seat, keyId } = await removed(true);
    expect(await lastOfKey(keyId)).to.equal('ApiKeyCreated');
    await react(seat);
    await react(seat);
    expect(await lastOfKey(keyId)).to.equal('ApiKeyRevoked');
    const { text, headers } = await mailTo(owner);
    expect(headers['x-service-template']).to.equal('team-member-removed');
    expect(text).to.contain(keyId).and.to.contain('These keys are revoked');
  });

  /** An admin has rotated a key of the owner's, and the request has died before it made the successor. */
  async function rotated() {
    const [owner, admin] = [await world.newOwner(), await world.newOwner()];
    const keys = keysOf();
    const key = { name: 'ours', scopes: ['read' as const], expiresAt: null };
    const { record } = await keys.create(owner.accountId, key, 'staff', newContext(owner.accountId));
    const acting = actingContext(newContext(admin.accountId), owner.accountId, admin.accountId);
    const { id, text, prefix, last4 } = issueApiKey();
    const successor = { apiKeyId: id, prefix, last4, hash: hashApiKey(text, pepper) };
    const at = new Date().toISOString();
    const rotate = { type: 'RotateApiKey', successor, graceEndsAt: at, at } as const;
    await world.runner.run(apiKey, uuidOf(record.apiKeyId), rotate, acting);
    return { keys, ownerId: owner.accountId, adminId: admin.accountId, oldId: record.apiKeyId, id };
  }

  it('finds a key that an admin got by a rotation, also where `processes` made it before the request', async () => {
    const { keys, ownerId, adminId, oldId, id } = await rotated();
    const [, rotation] = await eventsOf(`api_key-${uuidOf(oldId)}`);
    if (!rotation) throw new Error('nothing was rotated');
    await keyRotationsManager(keys).handle(rotation);
    expect((await madeBy(world, ownerId, adminId)).apiKeys).to.deep.equal([id]);
  });

  it('finds such a key also where the owner revoked the old one before it was made', async () => {
    const { keys, ownerId, adminId, oldId, id } = await rotated();
    await keys.revoke(await keys.find(ownerId, oldId), 'owner', newContext(ownerId));
    expect((await madeBy(world, ownerId, adminId)).apiKeys).to.deep.equal([id]);
    expect((await madeBy(world, ownerId, ownerId)).apiKeys).to.deep.equal([]);
  });

  it('ends an endpoint that is created with such a key just before that is revoked', async () => {
    const { owner, seat, keyId } = await removed(true);
    const { accountId } = owner;
    const keys = keysOf();
    const made: WebhookId[] = [];
    const apiKeys = {
      ...keys,
      revoke: async (...revoking: Parameters<typeof keys.revoke>) => {
        const context = newContext(accountId);
        const actor = { ...context.actor, actor_key_id: keyId };
        const endpoint = { url: 'https://receiver.example/', events: ['session.completed'] } as const;
        const given = { ...endpoint, description: null };
        const { webhook } = await world.webhooks.register(accountId, given, { ...context, actor });
        made.push(webhook.webhookId);
        return keys.revoke(...revoking);
      },
    };
    const manager = teamRemovalsManager({ ...world, apiKeys });
    for (const event of await eventsOf(`team_member-${seat}`)) await manager.handle(event);
    expect(made).to.have.length(1);
    for (const id of made)
      expect((await eventsOf(`webhook_endpoint-${uuidOf(id)}`)).at(-1)?.type).to.equal('WebhookDeleted');
  });

  it('leaves the keys if that was not requested, and says so', async () => {
    const { owner, seat, keyId } = await removed(false);
    await react(seat);
    expect(await lastOfKey(keyId)).to.equal('ApiKeyCreated');
    const { text } = await mailTo(owner);
    expect(text).to.contain(keyId).and.to.contain('still work');
  });

  it('is recorded and mailed also if they have made more keys than fit into an event', async () => {
    const many = Array.from({ length: 30_000 }, () => toId('apiKey', randomUUID()));
    const { owner, seat, keyId } = await removed(false, many);
    const { data } = (await eventsOf(`team_member-${seat}`)).at(-1) ?? {};
    const { made } = data as { made: { apiKeys: readonly ApiKeyId[] } };
    expect(made.apiKeys).to.have.length(1000).and.to.include(keyId);
    await react(seat);
    const { text } = await mailTo(owner);
    expect(text).to.contain(keyId);
    expect(text).to.match(/and\s+others/);
  });
});
