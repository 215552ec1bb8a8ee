import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { Refusal } from '../../contracts/problems.ts';
import { check } from './video-join.ts';
import { sign, type VideoPorts } from './video-grant.ts';

describe('the token of a participant', () => {
  it('is good for a clock that is a little behind the one that made it, and not for one far behind', async () => {
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
});
