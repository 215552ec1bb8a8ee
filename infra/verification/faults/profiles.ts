import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseId, uuidOf, type ProfileId, type SessionId } from '../../../contracts/ids.ts';
import type { Answer } from '../../http/testing.ts';
import { until } from '../testbed/index.ts';
import type { Client } from './client.ts';

/** A client's actions on profiles, with a page that counts its visits in local storage. */
export interface Profiles {
  create(): Promise<ProfileId>;
  /** A new profile whose page was visited that often, each time in a new session, and saved. */
  visited(times: number): Promise<ProfileId>;
  launch(id: ProfileId): Promise<Answer>;
  /** The session of a launch that must succeed. */
  launched(id: ProfileId): Promise<SessionId>;
  /** Visits the page and returns its count, this visit included. */
  visit(session: SessionId): Promise<number>;
  destroy(session: SessionId): Promise<Answer>;
  /** A launch, a visit and the end of the session. Resolves with the count once the state is saved. */
  visitOnce(id: ProfileId): Promise<number>;
  /** The types of a profile's events, from the store itself. */
  eventsOf(id: ProfileId): Promise<string[]>;
  /** Resolves when this is the profile's last event. */
  ended(id: ProfileId, type: string): Promise<unknown>;
}

const inTime = { limitMs: 60_000, everyMs: 20 };

export function profilesOf(client: Client, typesIn: (stream: string) => Promise<string[]>): Profiles {
  const eventsOf: Profiles['eventsOf'] = (id) => typesIn(`profile-${uuidOf(id)}`);
  const ended: Profiles['ended'] = (id, type) =>
    until(async () => (await eventsOf(id)).at(-1) === type, inTime).catch(async (cause: unknown) => {
      throw new Error(`No ${type} after ${(await eventsOf(id)).join(', ')}`, { cause });
    });
  const { launched, visit, ...steps } = stepsOf(client);
  const visitOnce = async (id: ProfileId): Promise<number> => {
    const session = await launched(id);
    const count = await visit(session);
    expect((await steps.destroy(session)).status).to.equal(204);
    await ended(id, 'StateSaved');
    return count;
  };
  const visited = async (times: number): Promise<ProfileId> => {
    const id = await steps.create();
    for (let visits = 1; visits <= times; visits += 1) expect(await visitOnce(id)).to.equal(visits);
    return id;
  };
  return { ...steps, launched, visit, visited, visitOnce, eventsOf, ended };
}

/** The parts of a visit. */
function stepsOf(client: Client) {
  const ok = async (status: number, ...request: Parameters<Client['call']>): Promise<Answer> => {
    const answer = await client.call(...request);
    expect(answer.status, answer.text).to.equal(status);
    return answer;
  };
  return {
    create: async () => {
      const { json } = await ok(201, 'POST /v1/profiles', { name: `profile ${randomUUID()}` });
      return present(parseId('profile', String(json.id)));
    },
    launch: (id: ProfileId) => client.call(`POST /v1/profiles/${id}/launch`, {}),
    launched: async (id: ProfileId) => {
      const { json } = await ok(201, `POST /v1/profiles/${id}/launch`, {});
      return present(parseId('session', String(json.id)));
    },
    visit: async (session: SessionId) => {
      await ok(200, `POST /v1/sessions/${session}/navigate`, { url: 'http://sim.test/counter' });
      const { json } = await ok(200, `GET /v1/sessions/${session}/state`);
      return Number((json.local_storage as { count?: string }).count);
    },
    destroy: (session: SessionId) => client.call(`DELETE /v1/sessions/${session}`),
  };
}

/** Sealed states of a profile in the directory of a stack, the newest first. */
export function statesIn(dataDir: string, id: ProfileId): readonly string[] {
  const folder = join(dataDir, 'blobs', uuidOf(id));
  const generation = (name: string) => Number(name.split('-', 1)[0]);
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort((a, b) => generation(b) - generation(a))
    .map((name) => join(folder, name));
}

function present<T>(id: T | undefined): T {
  if (id === undefined) throw new Error('The answer has no id.');
  return id;
}
