import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import { invitedEmail } from '../../contracts/events/team-member.ts';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { at, by } from '../../projections/testing/index.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { outcomeOf, startReadApi, type ReadApi } from '../testing.ts';
import {
  isQuiet,
  listen,
  openStream,
  pathOf,
  talking,
  write,
  type OpenStream,
  type Talk,
} from './testing.ts';

/** A web session of the account, and its access token. */
async function signedIn(api: ReadApi, accountId: AccountId) {
  const webSessionId = toId('webSession', randomUUID());
  const data = {
    ...{ webSessionId, accountId, kind: 'web_session', scopes: ['read'], epoch: 0, at },
    ...{ sealedSeed: 's', holder: 'h', confirmedAt: null, refreshUntil: '2026-02-05T12:00:00.000Z' },
  };
  await api.write(accountId, `web_session-${uuidOf(webSessionId)}`, [{ type: 'WebSessionOpened', data }]);
  return { webSessionId, token: await api.tokens.access({ webSessionId, accountId }) };
}

describe('a stream of a transcript', () => {
  let api: ReadApi;
  const logged: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  before(async () => {
    api = await startReadApi({ heartbeatMs: 50, logger });
    api.project();
  });
  after(() => api.close());

  describe('of an account that has many', () => {
    it('is refused as the eleventh, with the time to wait, until another one is closed', async () => {
      const [talk, another] = [await talking(api), await talking(api)];
      const streams = await Promise.all(Array.from({ length: 10 }, () => listen(api, talk)));
      expect(streams.map(({ status }) => status)).to.deep.equal(streams.map(() => 200));
      const headers = { accept: 'text/event-stream' };
      const eleventh = () => api.call(`GET ${pathOf(talk)}`, { token: talk.key.text, headers });
      const refused = await eleventh();
      expect([
        refused.status,
        refused.headers['retry-after'],
        refused.json.retry_after_seconds,
      ]).to.deep.equal([429, '30', 30]);
      expect(outcomeOf(refused)).to.equal('rate-limited');
      expect((await listen(api, another)).status).to.equal(200);
      const page = await api.call(`GET ${pathOf(talk)}`, { token: talk.key.text });
      expect(page.status).to.equal(200);
      streams[3]?.leave();
      await until(async () => (await listen(api, talk)).status === 200);
    });

    it('keeps none of them after HEAD, a refusal or an end', async () => {
      const talk = await talking(api);
      const before = api.transcripts.count();
      const headers = { accept: 'text/event-stream' };
      for (let tries = 0; tries < 12; tries += 1) {
        const head = await api.call(`HEAD ${pathOf(talk)}`, { token: talk.key.text, headers });
        expect([head.status, head.headers['content-type'], head.text]).to.deep.equal([
          200,
          'text/event-stream',
          '',
        ]);
        const wrong = await api.call(`GET ${pathOf(talk)}`, {
          token: talk.key.text,
          headers: { ...headers, 'Last-Event-ID': 'x' },
        });
        expect(wrong.status).to.equal(400);
      }
      await write(api, talk, talk.closed());
      for (let tries = 0; tries < 12; tries += 1)
        expect(await (await listen(api, talk)).over()).to.equal('ended');
      expect(api.transcripts.count()).to.equal(before);
    });
  });

  describe('for a credential in the query', () => {
    const openWith = (talk: Talk, token: string, bearer: string | null = null) =>
      openStream(api.port, `${pathOf(talk)}?token=${token}`, { token: bearer });

    it('opens with a key and with an access token', async () => {
      const talk = await talking(api);
      const { key, account } = talk;
      const { token } = await signedIn(api, account);
      expect((await openWith(talk, key.text)).status).to.equal(200);
      expect((await openWith(talk, token)).status).to.equal(200);
    });

    it('goes by the header where there is one, and is refused as any other', async () => {
      const talk = await talking(api);
      expect((await openWith(talk, 'nonsense', talk.key.text)).status).to.equal(200);
      expect((await openWith(talk, talk.key.text, 'nonsense')).status).to.equal(401);
      for (const token of ['', 'nonsense', `${talk.key.text}&token=${talk.key.text}`])
        expect((await openWith(talk, token)).status, token).to.equal(401);
      const { text } = await api.addKey(talk.account, { scopes: ['write'] });
      expect((await openWith(talk, text)).status).to.equal(403);
      const other = await api.addAccount();
      expect((await openWith(talk, other.key.text)).status).to.equal(404);
    });

    it('is taken by this route alone', async () => {
      const { key } = await api.addAccount();
      const answer = await api.call(`GET /v1/agent-sessions?token=${key.text}`, { token: null });
      expect(outcomeOf(answer)).to.equal('unauthorized');
    });

    it('shows it nowhere: not in a log, a refusal or a header', async () => {
      const talk = await talking(api);
      const canary = 'canary-3f1e';
      const targets = [
        `token=${canary}`,
        `token=${talk.key.text}&limit=${canary}x`,
        `token=${canary}&token=${canary}`,
        `token=${canary.repeat(500)}`,
        `token=${canary}%00`,
        `token=${canary}%ff`,
        `token=${canary}%zz`,
      ];
      for (const query of targets) {
        const answer = await api.call(`GET ${pathOf(talk)}?${query}`, { token: null });
        expect(answer.status, query).to.be.within(400, 499);
        if (!query.includes('limit')) expect(JSON.stringify(answer)).not.to.contain(canary);
        expect(JSON.stringify(answer)).not.to.contain(talk.key.text);
      }
      const stream = await openWith(talk, talk.key.text);
      await isQuiet(stream);
      expect(`${stream.text()}${JSON.stringify(stream.headers)}`).not.to.contain(talk.key.text);
      expect(logged.join('')).not.to.contain(canary);
      expect(logged.join('')).not.to.contain(talk.key.text);
    });
  });

  describe('that is open, an hour before it looks again', () => {
    let api: ReadApi;
    before(async () => {
      api = await startReadApi({ heartbeatMs: 3_600_000, logger });
      api.project();
    });
    after(() => api.close());
    const isOpen = ({ comments }: OpenStream) => until(() => comments.includes('stream open'));

    it('ends when its key is revoked', async () => {
      const talk = await talking(api);
      const stream = await listen(api, talk);
      await isOpen(stream);
      const data = { apiKeyId: talk.key.id, accountId: talk.account, name: 'a key', by: 'owner', at };
      await api.write(talk.account, `api_key-${uuidOf(talk.key.id)}`, [{ type: 'ApiKeyRevoked', data }]);
      expect(await stream.over()).to.equal('ended');
    });

    it('ends when the web session ends that opened it', async () => {
      const talk = await talking(api);
      const { webSessionId, token } = await signedIn(api, talk.account);
      const stream = await listen(api, talk, {}, token);
      await isOpen(stream);
      const data = { webSessionId, accountId: talk.account, reason: 'signed_out', at };
      await api.append(
        `web_session-${uuidOf(webSessionId)}`,
        [{ type: 'WebSessionEnded', data }],
        by(talk.account),
      );
      expect(await stream.over()).to.equal('ended');
    });

    it('ends when its account is suspended', async () => {
      const talk = await talking(api);
      const stream = await listen(api, talk);
      await isOpen(stream);
      const data = { accountId: talk.account, reason: 'abuse', at };
      await api.append(
        `account-${uuidOf(talk.account)}`,
        [{ type: 'AccountSuspended', data }],
        by(talk.account),
      );
      expect(await stream.over()).to.equal('ended');
    });

    it('ends when the team member that reads it is removed', async () => {
      const [talk, member] = [await talking(api), await api.addAccount('member@example.com')];
      const seat = randomUUID();
      const of = { membershipId: toId('membership', seat), ownerAccountId: talk.account };
      const sealedEmail = await api.vault.seal(talk.account, invitedEmail, 'member@example.com');
      const invited = { sealedEmail, role: 'admin', tokenId: seat, expiresAt: '2026-02-02T03:04:05.678Z' };
      const joined = { ...of, accountId: member.account, role: 'admin', at };
      await api.write(talk.account, `team_member-${seat}`, [
        { type: 'TeamMemberInvited', data: { ...of, ...invited, at } },
        { type: 'TeamMemberJoined', data: joined },
      ]);
      const stream = await listen(api, talk, { 'X-Service-Account': talk.account }, member.key.text);
      await isOpen(stream);
      const data = { ...of, accountId: member.account, at };
      await api.write(talk.account, `team_member-${seat}`, [{ type: 'TeamMemberRemoved', data }]);
      expect(await stream.over()).to.equal('ended');
    });

    it('leaves nothing behind when its client goes', async () => {
      const talk = await talking(api);
      const before = api.transcripts.count();
      const stream = await listen(api, talk);
      await isOpen(stream);
      expect(api.transcripts.count()).to.equal(before + 1);
      stream.leave();
      await until(() => api.transcripts.count() === before);
      await until(
        async () =>
          (await api.rows('select from ephemeral.permits where key like $1', [`%${talk.account}`])).length ===
          0,
      );
    });
  });
});
