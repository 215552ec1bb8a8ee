import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { TeamRole } from '../../contracts/events/team-member.ts';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { Refusal } from '../../contracts/problems.ts';
import { account } from '../../domain/account.ts';
import { apiKey } from '../../domain/api-key.ts';
import { check, stay } from './video-join.ts';
import { sign, type VideoPorts } from './video-grant.ts';

describe('the token of a participant', () => {
  it('is accepted by a clock slightly behind that of its maker, and not by one far behind', async () => {
    const node = toId('node', randomUUID());
    const session = toId('session', randomUUID());
    const video = {
      wsUrl: 'wss://video.example',
      api_key: node,
      api_secret: 'a-secret-that-is-long-enough-to-sign',
    };
    const made = new Date('2026-01-05T12:00:00.000Z');
    const { token } = await sign({ room: session, session }, video, `customer-${randomUUID()}`, made);
    const refusedAfter = async (ms: number) => {
      const clock = { now: () => new Date(made.getTime() + ms) };
      const ports = {
        clock,
        videos: { find: async () => video },
        runner: { load: async () => ({ state: { status: 'none' } }) },
      } as unknown as VideoPorts;
      const error: unknown = await check(ports, token).catch((refused: unknown) => refused);
      return error instanceof Refusal ? error.slug : String(error);
    };
    // The session has no browser, which is looked at once the token is found good.
    expect(await refusedAfter(-2_000)).to.equal('not-found');
    expect(await refusedAfter(-60_000)).to.equal('unauthorized');
  });

  it('ends with the place of its holder on the team; for a holder inside, its expiry does not matter', async () => {
    const node = toId('node', randomUUID());
    const id = toId('session', randomUUID());
    const [owner, person] = [toId('account', randomUUID()), toId('account', randomUUID())];
    const video = {
      wsUrl: 'wss://video.example',
      api_key: node,
      api_secret: 'long-enough-to-sign-with-it-so-it-is',
    };
    const made = new Date('2026-01-05T12:00:00.000Z');
    const tokenOf = async (who: AccountId) =>
      (await sign({ room: id, session: id }, video, `customer-${uuidOf(who)}`, made)).token;
    const outcome = async (
      [ask, who]: readonly [typeof check | typeof stay, AccountId],
      { role, status = 'active', hours = 1 }: { role?: TeamRole; status?: string; hours?: number },
    ) => {
      const ports = {
        clock: { now: () => new Date(made.getTime() + hours * 3_600_000) },
        videos: { find: async () => video },
        registry: { address: async () => ({ url: 'http://node', credential: '' }) },
        roleOn: async () => role,
        runner: {
          load: async (decider: unknown) => ({
            state: decider === account ? { status } : { status: 'ready', accountId: owner, nodeId: node },
          }),
        },
      } as unknown as VideoPorts;
      const error: unknown = await ask(ports, await tokenOf(who)).then(
        () => 'admitted',
        (refused: unknown) => refused,
      );
      return error instanceof Refusal ? error.slug : String(error);
    };
    for (const ask of [check, stay]) {
      expect(await outcome([ask, owner], {})).to.equal('admitted');
      expect(await outcome([ask, person], { role: 'admin' })).to.equal('admitted');
      expect(await outcome([ask, person], { role: 'member' })).to.equal('unauthorized');
      expect(await outcome([ask, person], {})).to.equal('unauthorized');
      expect(await outcome([ask, person], { role: 'admin', status: 'suspended' })).to.equal('unauthorized');
    }
    expect(await outcome([check, owner], { hours: 25 })).to.equal('unauthorized');
    expect(await outcome([stay, owner], { hours: 25 })).to.equal('admitted');
  });

  it('ends with the API key that it was made with: revoked, expired, or rotated and past its grace', async () => {
    const node = toId('node', randomUUID());
    const id = toId('session', randomUUID());
    const [owner, key] = [toId('account', randomUUID()), toId('apiKey', randomUUID())];
    const video = {
      wsUrl: 'wss://video.example',
      api_key: node,
      api_secret: 'long-enough-to-sign-with-it-so-it-is',
    };
    const made = new Date('2026-01-05T12:00:00.000Z');
    const minutesLater = (minutes: number) => new Date(made.getTime() + minutes * 60_000);
    const at = (minutes: number) => minutesLater(minutes).toISOString();
    const { token } = await sign({ room: id, session: id }, video, `customer-${uuidOf(owner)}`, made, {
      claims: { key },
    });
    const outcome = async (ask: typeof check | typeof stay, state: object) => {
      const ports = {
        clock: { now: () => minutesLater(60) },
        videos: { find: async () => video },
        registry: { address: async () => ({ url: 'http://node', credential: '' }) },
        runner: {
          load: async (decider: unknown) => ({
            state: decider === apiKey ? state : { status: 'ready', accountId: owner, nodeId: node },
          }),
        },
      } as unknown as VideoPorts;
      return ask(ports, token).then(
        () => 'admitted',
        (error: unknown) => (error instanceof Refusal ? error.slug : String(error)),
      );
    };
    for (const [state, expected] of [
      [{ status: 'active', record: { expiresAt: null } }, 'admitted'],
      [{ status: 'active', record: { expiresAt: at(61) } }, 'admitted'],
      [{ status: 'active', record: { expiresAt: at(59) } }, 'unauthorized'],
      [{ status: 'rotated', graceEndsAt: at(61) }, 'admitted'],
      [{ status: 'rotated', graceEndsAt: at(59) }, 'unauthorized'],
      [{ status: 'revoked' }, 'unauthorized'],
      [{ status: 'none', isWithdrawn: true }, 'unauthorized'],
    ] as const)
      for (const ask of [check, stay]) expect(await outcome(ask, state)).to.equal(expected);
  });
});
