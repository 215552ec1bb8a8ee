import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { EventStoreUnavailable } from '../../infra/event-store/client/types.ts';
import { refreshToken } from '../../infra/keys/refresh-token.ts';
import { onlyPepper } from '../../infra/keys/index.ts';
import { createWebSessionCommands } from './index.ts';

describe('the session of a refresh token', () => {
  const away = () => Promise.reject(new EventStoreUnavailable('away'));
  const unused = () => Promise.reject(new Error('Nothing needs this.'));
  const { sessionOf } = createWebSessionCommands({
    runner: { run: unused, load: away },
    clock: { now: () => new Date('2026-01-05T12:00:00.000Z') },
    vault: { seal: unused, open: unused },
    tokens: { access: unused, expiresInSeconds: 900 },
    peppers: onlyPepper('a pepper for tests'),
    refreshMs: 1_000,
    freshMs: 1_000,
  });

  it('is undefined for a text that is no token', async () => {
    expect(await sessionOf('svc_refresh_none')).to.equal(undefined);
  });

  it('is not reported as missing while the event store is down: signing out would seem to succeed', async () => {
    const text = refreshToken({ webSessionId: toId('webSession', randomUUID()), generation: 0 }, 'seed');
    const error = await sessionOf(text).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(EventStoreUnavailable);
  });
});
