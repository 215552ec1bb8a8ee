import type { VNode } from 'preact';
import {
  ServiceError,
  profileSnapshots,
  profiles,
  type Profile,
} from '../../../../contracts/client/index.ts';
import { addressOf, placeOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const service = profiles(connection);

/** Maximum number of ancestors, each of which takes a request, and of copies. */
const MOST_ANCESTORS = 10;
const MOST_COPIES = 50;
const EVERY_MS = 60_000;

/** A profile or snapshot that a profile was made from, directly or through others. */
interface Ancestor {
  readonly id: string;
  /** Undefined if it cannot be read: purged, deleted, in the trash, or another account's. */
  readonly name: string | undefined;
  readonly hint?: string;
  /** The id of what it was made from itself. */
  readonly origin: string | null;
}

interface LineageOf {
  /** The nearest first. */
  readonly ancestors: readonly Ancestor[];
  /** The newest first. */
  readonly copies: readonly Profile[];
  readonly hasMoreCopies: boolean;
}

/** What a profile was made from, and the profiles cloned from it, as a tree; nothing without either. */
export const Lineage = ({ of: profile }: { readonly of: Profile }) => (
  <Read what={`${words.lineage} ${profile.id}`} read={() => lineageOf(profile)} everyMs={EVERY_MS}>
    {(lineage) =>
      lineage.ancestors.length + lineage.copies.length > 0 && <Tree of={profile} lineage={lineage} />
    }
  </Read>
);

async function lineageOf(profile: Profile): Promise<LineageOf> {
  const copiesOf = service.list({ made_from: profile.id, limit: MOST_COPIES }).byPage();
  const [ancestors, { value: page }] = await Promise.all([ancestorsOf(profile), copiesOf.next()]);
  return { ancestors, copies: page?.data ?? [], hasMoreCopies: typeof page?.nextCursor === 'string' };
}

async function ancestorsOf(profile: Profile): Promise<readonly Ancestor[]> {
  const ancestors: Ancestor[] = [];
  let id = originOf(profile);
  while (id !== null && ancestors.length < MOST_ANCESTORS) {
    const ancestor = await readAncestor(id);
    ancestors.push(ancestor);
    id = ancestor.origin;
  }
  return ancestors;
}

const originOf = ({ cloned_from: profileId, restored_from_snapshot: snapshotId }: Profile): string | null =>
  profileId ?? snapshotId;

async function readAncestor(id: string): Promise<Ancestor> {
  try {
    return await (id.startsWith('psnap_') ? snapshot(id) : profileWith(id));
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return { id, name: undefined, origin: null };
    throw error;
  }
}

async function profileWith(id: string): Promise<Ancestor> {
  const profile = await service.get(id);
  return { id, name: profile.name, origin: originOf(profile) };
}

async function snapshot(id: string): Promise<Ancestor> {
  const { label, parent_name: name, parent_profile_id: origin } = await profileSnapshots(connection).get(id);
  const hint = origin === null ? filled(words.snapshotOfPurged, { name }) : words.oneSnapshot;
  return { id, name: label, hint, origin };
}

interface TreeProps {
  readonly of: Profile;
  readonly lineage: LineageOf;
}

function Tree({ of: profile, lineage: { ancestors, ...below } }: TreeProps) {
  const own = (
    <li>
      <strong aria-current="page">{profile.name}</strong>
      <Copies {...below} />
    </li>
  );
  const isCut = typeof ancestors.at(-1)?.origin === 'string';
  return (
    <section>
      <h2>{words.lineage}</h2>
      {isCut && <p class="hint">{filled(words.nearestOrigins, { count: ancestors.length })}</p>}
      <ul class="tree">{ancestors.reduce<VNode>(beneath, own)}</ul>
    </section>
  );
}

const Link = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <a href={placeOf(id) ?? addressOf('/profiles')}>{name}</a>
);

/** An ancestor as an item of the tree, with the item of what was made from it beneath. */
const beneath = (item: VNode, { id, name, hint }: Ancestor): VNode => (
  <li>
    {name === undefined ? filled(words.originGone, { id }) : <Link id={id} name={name} />}{' '}
    {hint !== undefined && <span class="hint">{hint}</span>}
    <ul>{item}</ul>
  </li>
);

const Copies = ({ copies, hasMoreCopies }: Omit<LineageOf, 'ancestors'>) =>
  copies.length === 0 ? null : (
    <ul>
      {copies.map(({ id, name }) => (
        <li key={id}>
          <Link id={id} name={name} />
        </li>
      ))}
      {hasMoreCopies && <li class="hint">{filled(words.newestCopies, { count: copies.length })}</li>}
    </ul>
  );
