import { Agent, request } from 'undici';
import { inFlight } from '../load.ts';
import { startReadModels } from '../read-models.ts';
import { addMember, filledAccount, fillSessions } from '../read-side.ts';
import { serveApps } from '../served-apps.ts';
import { startStoreProcess } from '../store-process.ts';
import type { Bench, Prepared, RatioSubject } from '../subject.ts';
import { createSessions, instantFleet, post, startWriteSide } from '../write-side.ts';
import { startTeam } from './team.ts';

const clients = 16;
const sessionsEach = 1_000;

const headerFor = (owner: string) => ({ 'x-service-account': owner });

/** A member's own list against the owner's: the same number of sessions, full pages. */
async function prepareRead({ directory, logger }: Bench): Promise<Prepared> {
  const models = await startReadModels(directory, logger);
  const { readers } = await fillSessions(models.pool, 2 * sessionsEach, 2);
  await addMember(models.pool, 0, 1);
  const apps = await serveApps<'0'>(new URL('../read-server.ts', import.meta.url), [models.url]);
  const dispatcher = new Agent({ connections: clients });
  const listing = (more: Record<string, string>) => (operations: number) =>
    inFlight(operations, clients, async () => {
      const headers = { authorization: `Bearer ${readers[1]?.token ?? ''}`, ...more };
      const url = `http://127.0.0.1:${apps.ports[0]}/v1/sessions`;
      const answer = await request(url, { dispatcher, headers });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`A list was answered ${answer.statusCode}.`);
    });
  return {
    ours: { name: 'with the header', run: listing(headerFor(filledAccount(0))), cpuUsage: apps.cpuUsage },
    raw: { name: 'without', run: listing({}), cpuUsage: apps.cpuUsage },
    close: async () => {
      await dispatcher.close();
      await apps.close();
      await models.close();
    },
  };
}

/**
 * Members, each on a session of its own, against one of the owner, so that none shares the read of another's
 * membership.
 */
async function prepareWrite({ directory, logger }: Bench): Promise<Prepared> {
  const server = await startStoreProcess(directory);
  const agent = new Agent({ connections: clients });
  const side = await startWriteSide(server.url, instantFleet().fleet, logger);
  const { owner, members } = await startTeam(side, agent, clients);
  const ofOwner = await createSessions(agent, side.base, owner.token, clients);
  const own = await Promise.all(members.map(({ token }) => createSessions(agent, side.base, token, 1)));
  const navigating =
    (sessions: readonly (string | undefined)[], more = {}) =>
    (operations: number) =>
      inFlight(operations, clients, async (_index, client) => {
        const url = `${side.base}/v1/sessions/${sessions[client] ?? ''}/navigate`;
        const answer = await post(
          agent,
          url,
          members[client]?.token ?? '',
          { url: 'http://sim.test/' },
          more,
        );
        if (answer.status !== 200) throw new Error(`A request failed with ${answer.status}: ${answer.text}`);
      });
  return {
    ours: { name: 'with the header', run: navigating(ofOwner, headerFor(owner.accountId)) },
    raw: { name: 'without', run: navigating(own.map(([id]) => id)) },
    close: async () => {
      await agent.close();
      await side.close();
      await server.stop();
    },
  };
}

const bars = { pass: 0.9, stretch: 0.97 };

export const actingRead: RatioSubject = {
  kind: 'ratio',
  id: 'acting-route-read',
  long: true,
  title: `GET /v1/sessions with X-Service-Account / without, ${clients} in flight`,
  ...bars,
  operations: 800,
  prepare: prepareRead,
};

export const actingWrite: RatioSubject = {
  kind: 'ratio',
  id: 'acting-route-write',
  long: true,
  title: `POST /v1/sessions/{id}/navigate with X-Service-Account / without, ${clients} in flight`,
  ...bars,
  operations: 600,
  prepare: prepareWrite,
};
