import { expect } from 'chai';
import type { IssuedTokens } from '../../../commands/web-session/index.ts';
import { uuidOf } from '../../../contracts/ids.ts';
import { gate, until, type Gate } from '../testbed/index.ts';
import { outcomeOf, startWholeService, type WholeService } from './whole-service.ts';

describe('a session whose refresh token was stolen', () => {
  let service: WholeService;
  let held: Gate | undefined;
  before(async () => {
    service = await startWholeService({
      throughPositions: (positions) => ({
        ...positions,
        async record(accountId, position) {
          await held?.pass();
          return positions.record(accountId, position);
        },
      }),
    });
  });
  after(() => service.close());
  afterEach(() => {
    held?.open();
    held = undefined;
  });

  const read = (token: string) => service.call('GET /v1/sessions', { token });
  /** A session whose first refresh token has been used. */
  const refreshed = async (kind: IssuedKind, refresh: Refresh) => {
    const { accountId } = await service.staff.account('team');
    const first = await service.staff.session(accountId, { kind });
    const { json, text } = await refresh(first.refreshToken, 'the owner');
    const newest = String(json.access_token);
    expect((await read(newest)).status, text).to.equal(200);
    const stream = `web_session-${uuidOf(first.webSessionId)}`;
    const hasEnded = async () =>
      (await service.events(stream)).some(({ type }) => type === 'WebSessionEnded');
    return { used: first.refreshToken, newest, hasEnded };
  };

  type IssuedKind = 'web_session' | 'device';
  type Refresh = (token: IssuedTokens['refreshToken'], agent: string) => ReturnType<WholeService['call']>;
  const ways: Record<IssuedKind, Refresh> = {
    web_session: (refresh_token, agent) =>
      service.call('POST /v1/auth/refresh', {
        ...{ token: null, body: { refresh_token }, headers: { 'User-Agent': agent } },
      }),
    device: (refresh_token, agent) =>
      service.call('POST /v1/oauth/token', {
        ...{ token: null, headers: { 'User-Agent': agent } },
        body: { grant_type: 'refresh_token', refresh_token, client_id: 'service-desktop' },
      }),
  };
  for (const kind of ['web_session', 'device'] as const) {
    const refresh = ways[kind];

    it(`(${kind}) is refused to readers as soon as its end is acknowledged`, async () => {
      const { used, newest, hasEnded } = await refreshed(kind, refresh);
      const note = (held = gate());
      const told: unknown[] = [];
      const thief = refresh(used, 'a thief').then((answer) => told.push(answer));
      await Promise.all([until(hasEnded), note.reached]);
      const again = refresh(used, 'a thief').then((answer) => told.push(answer));
      await read(newest);
      expect(told).to.deep.equal([]);
      note.open();
      await Promise.race([thief, again]);
      const answer = await read(newest);
      expect([answer.status, outcomeOf(answer)]).to.deep.equal([401, 'revoked-key']);
      await Promise.all([thief, again]);
    });
  }
});
