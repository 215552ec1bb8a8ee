import { until } from '../../testbed/index.ts';
import { timed } from '../latency.ts';
import type { Bench } from '../subject.ts';
import { onSystem, type SystemUnderTest } from '../system/system-stack.ts';
import { webKit } from '../system/system-webkit.ts';
import { startFillingSite } from './filling-site.ts';

/** The whole service on real browsers, without a pool. */
export interface Profiles {
  readonly system: SystemUnderTest;
  /** A new profile whose state is saved and has that many MiB. */
  readonly filled: (mebibytes: number) => Promise<string>;
  /** The id of its session. */
  readonly launch: (profile: string) => Promise<string>;
  /** Ends the session. Milliseconds from the request until its state is recorded. */
  readonly save: (profile: string, session: string) => Promise<number>;
  readonly sealedBytes: (profile: string) => Promise<number>;
}

interface Shown {
  readonly id: string;
  readonly save_state: string;
  readonly storage_bytes: number;
}

const longestSaveMs = 60_000;

export async function onProfiles<T>(bench: Bench, work: (profiles: Profiles) => Promise<T>): Promise<T> {
  const site = await startFillingSite();
  try {
    return await onSystem(bench, webKit({ waiting: 0 }), (system) =>
      work(profilesOf(system, (mebibytes) => site.urlFor(mebibytes))),
    );
  } finally {
    await site.close();
  }
}

function profilesOf(system: SystemUnderTest, urlFor: (mebibytes: number) => string): Profiles {
  const { client } = system;
  const post = async (path: string, body: object = {}) =>
    JSON.parse((await client.call('POST', path, body)).text) as Shown;
  const shown = async (id: string) =>
    JSON.parse((await client.call('GET', `/v1/profiles/${id}`)).text) as Shown;
  let made = 0;
  const profiles: Profiles = {
    system,
    launch: async (profile) => (await post(`/v1/profiles/${profile}/launch`)).id,
    save: (profile, session) =>
      timed(async () => {
        await client.end(session);
        const state = await until(() => settledState(() => shown(profile)), {
          limitMs: longestSaveMs,
          everyMs: 10,
        });
        if (state !== 'saved') throw new Error(`A save came to ${state}.`);
      }),
    sealedBytes: async (profile) => (await shown(profile)).storage_bytes,
    async filled(mebibytes) {
      const { id } = await post('/v1/profiles', { name: `filled ${(made += 1)}` });
      const session = await profiles.launch(id);
      await client.call('POST', `/v1/sessions/${session}/navigate`, { url: urlFor(mebibytes) });
      const condition = { kind: 'selector', selector: '#filled' };
      await client.call('POST', `/v1/sessions/${session}/wait`, { condition, timeout_ms: 30_000 });
      await profiles.save(id, session);
      return id;
    },
  };
  return profiles;
}

async function settledState(read: () => Promise<Shown>): Promise<string | undefined> {
  const { save_state } = await read();
  return save_state === 'saving' || save_state === 'none' ? undefined : save_state;
}
