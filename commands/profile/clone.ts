import { Refusal } from '../../contracts/problems.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { longestProfileName } from '../../contracts/resources/profile.ts';
import { comparableName } from '../../domain/kit/quota.ts';
import { accountProfiles } from '../../domain/profile/quota.ts';
import type { ActiveProfile } from '../../domain/profile/state.ts';
import { stepContext, type CommandContext } from '../engine/context.ts';
import { add, type Owner } from './add.ts';
import type { Changed } from './find.ts';
import type { ProfilePorts } from './ports.ts';

/** Maximum number of names tried: others may take one meanwhile. */
const tries = 10;

/** A profile of the same archetype and description, without a state; by default named as a copy. */
export async function cloneProfile(
  ports: ProfilePorts,
  owner: Owner,
  source: ActiveProfile,
  name: string | undefined,
  context: CommandContext,
): Promise<Changed> {
  const { archetype, description, profileId } = source;
  const origin = { kind: 'cloned', profileId } as const;
  const named = (each: string, by: CommandContext) =>
    add(ports, owner, { name: each, archetype, description, origin }, by);
  if (name !== undefined) return named(name, context);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const free = freeCopyName(source.name, await reservedNames(ports, owner));
      return await named(free, stepContext(context, `copy ${attempt}`));
    } catch (error) {
      if (attempt === tries || !(error instanceof Refusal && error.slug === 'conflict')) throw error;
    }
  }
}

async function reservedNames({ runner }: ProfilePorts, { accountId }: Owner): Promise<readonly string[]> {
  const { state } = await runner.load(accountProfiles, uuidOf(accountId));
  return state.reservations.flatMap(({ names }) => names);
}

/** The first name of a copy that is not among these. */
export function freeCopyName(name: string, names: Iterable<string>): string {
  const taken = new Set(Array.from(names, comparableName));
  for (let copy = 1; ; copy += 1) {
    const candidate = copyName(name, copy);
    if (!taken.has(comparableName(candidate))) return candidate;
  }
}

/** `Name copy`, `Name copy 2` and so on, the name shortened to fit. */
function copyName(name: string, copy: number): string {
  const suffix = copy === 1 ? ' copy' : ` copy ${copy}`;
  const start = Array.from(name)
    .slice(0, longestProfileName - suffix.length)
    .join('');
  return `${start.trimEnd()}${suffix}`;
}
