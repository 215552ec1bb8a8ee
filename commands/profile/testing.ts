import { profileEvents, type ProfileEvent } from '../../contracts/events/profile.ts';
import { uuidOf, type NodeId, type ProfileId, type SessionId } from '../../contracts/ids.ts';
import type { SavedState, StateCensus } from '../../contracts/profile-state.ts';
import { profile } from '../../domain/profile/profile.ts';
import type { ActiveProfile } from '../../domain/profile/state.ts';
import type { EventStore, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { memoryBlobs } from '../../infra/blobs/testing/memory.ts';
import { newNoiseSeed } from '../../infra/keys/noise-seed.ts';
import { createProfileStates } from '../../infra/profile-states/index.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { upkeepOn } from '../agent-session/testing.ts';
import type { Caller } from '../engine/context.ts';
import { onTimer } from '../process-managers/timers.ts';
import { hasKnownType } from '../engine/recording.ts';
import {
  again,
  createWorld,
  newCaller,
  newContext,
  newSessionId,
  nodeId,
  quiet,
  testLimits,
  type World,
} from '../session/testing.ts';
import { add } from './add.ts';
import { createProfileSaves } from './saves.ts';
import { noOrders } from '../order/testing.ts';

/** A vault without encryption, whose keys can be forgotten. */
export function clearVault(): Vault & { readonly forgotten: Set<string> } {
  const forgotten = new Set<string>();
  return {
    forgotten,
    seal: (_owner, _field, text) => Promise.resolve(text),
    sealer: () => Promise.resolve((_field, text) => text),
    open: (owner, _field, sealed) =>
      Promise.resolve(forgotten.has(owner) ? { erased: true } : { text: sealed }),
    salt: (owner) => Promise.resolve(Buffer.from(owner).subarray(0, 32)),
    forget: (owner) => Promise.resolve(void forgotten.add(owner)),
  };
}

export const census = (cookies: number): StateCensus => ({
  cookies,
  origins: 0,
  parts: { cookies: 1, local_storage: 0, session_storage: 0, indexeddb: 0, service_workers: 0, cache: 0 },
});

/** Profiles in a world of sessions, with an object store in memory. */
export function withProfiles({ runner, clock }: World) {
  const blobs = memoryBlobs(() => clock.now());
  const vault = clearVault();
  const states = createProfileStates({ blobs, vault });
  return {
    ...{ blobs, vault, states },
    saves: createProfileSaves({ runner, clock, states, limits: testLimits, logger: quiet }),
    /** A new profile of the caller's; `bytes`: the recorded size of its saved state, which is never read. */
    async profileOf(
      caller: Caller,
      { name = 'shopper', bytes }: { name?: string; bytes?: number } = {},
    ): Promise<ProfileId> {
      const saved: SavedState = {
        ...{ generation: 1, blob: `none/1-${name}`, bytes: bytes ?? 0 },
        ...{ sha256: '00', sealedKey: 'key', census: census(1) },
      };
      const { profile } = await add(
        { runner, clock, newNoiseSeed },
        caller,
        {
          ...{ name, archetype: 'iphone-15', description: null, origin: { kind: 'created' } },
          state: bytes === undefined ? null : saved,
        },
        newContext(caller.accountId),
      );
      return profile.profileId;
    },
  };
}

/** An archive of opaque bytes. */
export async function* archive(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

export async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A profile of a new account, its sessions, and their saves. */
export class ProfileWorld {
  readonly world: World;
  readonly profiles: ReturnType<typeof withProfiles>;
  readonly caller: Caller;
  readonly profileId: ProfileId;

  private constructor(world: World, caller: Caller, profileId: ProfileId) {
    this.world = world;
    this.profiles = withProfiles(world);
    this.caller = caller;
    this.profileId = profileId;
  }

  static async open(store: EventStore): Promise<ProfileWorld> {
    const [world, caller] = [createWorld(store), newCaller('team', 3)];
    return new ProfileWorld(world, caller, await withProfiles(world).profileOf(caller));
  }

  async launch(id = newSessionId(), body: object = {}, sessions = this.world.sessions): Promise<SessionId> {
    await sessions.create(again(this.caller), id, { profile_id: this.profileId, ...body });
    return id;
  }

  async destroy(id: SessionId): Promise<void> {
    const { sessions } = this.world;
    await sessions.destroy(again(this.caller), await sessions.find(this.caller, id));
  }

  /** A launched session that has ended. */
  async ended(): Promise<SessionId> {
    const id = await this.launch();
    await this.destroy(id);
    return id;
  }

  /** A node, by default the session's, saves a state; returns its answer. */
  save(id: SessionId, text = 'a state', node: NodeId = nodeId) {
    return this.profiles.saves.save(node, id, census(1), archive(text));
  }

  async saved(text: string): Promise<SessionId> {
    const id = await this.ended();
    const outcome = await this.save(id, text);
    if (outcome !== 'saved') throw new Error(`The save was ${outcome}.`);
    return id;
  }

  async present(): Promise<ActiveProfile> {
    const { state } = await this.world.runner.load(profile, uuidOf(this.profileId));
    if (state.status === 'active') return state;
    throw new Error(`The profile is ${state.status}.`);
  }

  async events(): Promise<(RecordedEvent & ProfileEvent)[]> {
    const events: (RecordedEvent & ProfileEvent)[] = [];
    for await (const event of this.world.store.readStream(`profile-${uuidOf(this.profileId)}`))
      if (hasKnownType<ProfileEvent>(profileEvents, event)) events.push(event);
    return events;
  }

  /** Types of the profile's events since its creation. */
  async history(): Promise<string[]> {
    return (await this.events()).slice(1).map(({ type }) => type);
  }

  blobs(): string[] {
    return [...this.profiles.blobs.stored.keys()];
  }

  /** Fires a timer, as its wake-up or the sweep would. */
  fire(kind: 'profile_purge' | 'profile_save_lease'): Promise<void> {
    const { world, profileId, caller } = this;
    const due = { account_id: caller.accountId, due_at: world.clock.now() };
    const setBy = { event_id: profileId, correlation_id: profileId, traceparent: null };
    const row = { id: `${kind}-${profileId}`, kind, subject_id: profileId, ...due, ...setBy };
    const timers = { byId: () => Promise.resolve(row), due: () => Promise.resolve([]) };
    return onTimer(
      { ...world, agentSessions: upkeepOn(world), orders: noOrders, timers, logger: quiet },
      row.id,
    );
  }
}
