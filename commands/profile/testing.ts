import type { ProfileId } from '../../contracts/ids.ts';
import type { SavedState, StateCensus } from '../../contracts/profile-state.ts';
import { memoryBlobs } from '../../infra/blobs/testing/memory.ts';
import { newNoiseSeed } from '../../infra/keys/noise-seed.ts';
import { createProfileStates } from '../../infra/profile-states/index.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { Caller } from '../engine/context.ts';
import { defaultSessionLimits } from '../session/index.ts';
import { newContext, quiet, type World } from '../session/testing.ts';
import { add } from './index.ts';
import { createProfileSaves } from './saves.ts';

/** Seals nothing, and forgets when it is told to. */
export function clearVault(): Vault & { readonly forgotten: Set<string> } {
  const forgotten = new Set<string>();
  return {
    forgotten,
    seal: (_owner, _field, text) => Promise.resolve(text),
    open: (owner, _field, sealed) =>
      Promise.resolve(forgotten.has(owner) ? { erased: true } : { text: sealed }),
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
    saves: createProfileSaves({ runner, clock, states, limits: defaultSessionLimits, logger: quiet }),
    /** A new profile of the caller's; `bytes`: what it is recorded to have saved, which nobody reads. */
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

/** An archive, which is any bytes to whoever keeps it. */
export async function* archive(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

export async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
