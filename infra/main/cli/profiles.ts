import { Option } from 'commander';
import { sweepBlobs } from '../../../commands/profile/sweep.ts';
import { streamOf } from '../../../contracts/events/catalogue.ts';
import { profileEvents } from '../../../contracts/events/profile.ts';
import { uuidOf, type ProfileId } from '../../../contracts/ids.ts';
import type { SavedState } from '../../../contracts/profile-state.ts';
import { presentProfile } from '../../../contracts/resources/profile.ts';
import { profile } from '../../../domain/profile/profile.ts';
import type { ExistingProfile } from '../../../domain/profile/state.ts';
import {
  profilesFor,
  savesFailed,
  savesUnderWay,
  type ProfileFilter,
} from '../../../projections/queries/profile.ts';
import type { RecordedEvent } from '../../event-store/client/index.ts';
import { openRows } from '../../personal/text.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { silentLogger } from '../../logging/index.ts';
import { blobUrl } from '../composition/profiles.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { factTable, factText, listAnswer, section, tableOf, type Answer } from './output.ts';
import { count, idOf, profileId } from './parse.ts';

const statuses = ['active', 'trashed', 'purged'] as const;

/** `service profiles …` */
export function profileCommands(program: ServiceCommand): void {
  const profiles = program.command('profiles').description('browser identities that outlive their sessions');
  profiles
    .command('list')
    .description('list profiles from the read model, newest first')
    .option('--account <id>', 'only those of this account', idOf('account'))
    .addOption(new Option('--status <status>', 'only those in this state').choices(statuses))
    .option('--limit <profiles>', 'at most this many', count, 50)
    .operates('array', list);
  profiles
    .command('show')
    .description('show one from the event log: its use, its saved state, its origin and its last events')
    .argument('<profile>', 'prof_<uuid>, or the uuid', profileId)
    .option('--limit <events>', 'at most this many of the last events', count, 20)
    .operates('object', show);
  profiles
    .command('saves')
    .description('list the running saves with their nodes, and the profiles whose last save failed')
    .option('--limit <rows>', 'at most this many of each', count, 20)
    .operates('object', saves);
  profiles
    .command('sweep')
    .description('delete the blobs that no profile has named for a day, as the daily sweep does')
    .option('--dry-run', 'list the blobs without deleting them')
    .operates('object', sweep);
}

const list = async ({ pool, vault }: Operator, filter: ProfileFilter): Promise<Answer> =>
  listAnswer(
    (await openRows(vault, await profilesFor(pool, filter))).map(summaryOf),
    'There is no such profile.',
    {
      profile: 'id',
      account: 'account_id',
      status: 'status',
      'used by': (row) => row.use.session_id,
      save: (row) => row.save_error ?? row.save_state,
      bytes: 'storage_bytes',
      'last used': 'last_used_at',
      name: 'name',
    },
  );

/** The owner's view, with the present session. */
function summaryOf(state: ExistingProfile) {
  const { use } = state;
  return {
    ...presentProfile(state),
    account_id: state.accountId,
    status: state.status,
    ...(state.status === 'purged' && { storage_bytes: 0 }),
    use: {
      kind: use.kind,
      ...(use.kind !== 'free' && { session_id: use.sessionId, generation: use.generation }),
      ...(use.kind === 'saving' && { lease_expires_at: use.leaseExpiresAt }),
    },
  };
}

async function show(
  { runner, store }: Operator,
  id: ProfileId,
  { limit }: { readonly limit: number },
): Promise<Answer> {
  const { state } = await runner.load(profile, uuidOf(id));
  if (state.status === 'none' || state.status === 'withdrawn') throw new Error(`There is no profile ${id}.`);
  const events: Happening[] = [];
  for await (const event of store.readStream(streamOf(profileEvents, uuidOf(id)))) {
    events.push(happeningOf(event));
    if (events.length > limit) events.shift();
  }
  const detail = detailOf(state);
  const value = { ...detail, events };
  const happened = events.map(({ at, event, ...facts }) => [at, event, factText(facts)]);
  return { value, lines: [...factTable(detail), '', ...tableOf(happened)] };
}

/** Without secrets: neither the sealed key of the state nor the noise seed. */
function detailOf(state: ExistingProfile) {
  const { origin, offer, receivedFrom, saveFailure, state: saved } = state;
  return {
    ...summaryOf(state),
    origin,
    received_from: receivedFrom,
    offer: offer && { to_account_id: offer.toAccountId, expires_at: offer.expiresAt },
    save_failure: saveFailure,
    purge_at: state.purgeAt,
    state: saved && {
      generation: saved.generation,
      blob: saved.blob,
      bytes: saved.bytes,
      sha256: saved.sha256,
      ...saved.census,
    },
  };
}

interface Happening {
  readonly at: string;
  readonly event: string;
}

/** The shown facts of events. */
const shownFacts = {
  sessionId: 'session_id',
  generation: 'generation',
  reason: 'reason',
  detail: 'detail',
  cause: 'cause',
  toAccountId: 'to_account_id',
  fromAccountId: 'from_account_id',
  leaseExpiresAt: 'lease_expires_at',
  purgeAt: 'purge_at',
  expiresAt: 'expires_at',
  bytes: 'bytes',
};

function happeningOf({ created, type, data }: RecordedEvent): Happening {
  const { state, ...facts } = data as StoredFacts;
  const all: Readonly<Record<string, unknown>> = {
    ...facts,
    ...(state && { generation: state.generation, bytes: state.bytes }),
  };
  const shown = Object.entries(shownFacts).filter(([name]) => name in all);
  return {
    at: created.toISOString(),
    event: type,
    ...Object.fromEntries(shown.map(([name, as]) => [as, all[name]])),
  };
}

interface StoredFacts extends Readonly<Record<string, unknown>> {
  readonly state?: Pick<SavedState, 'generation' | 'bytes'> | null;
}

async function saves({ pool }: Operator, { limit }: { readonly limit: number }): Promise<Answer> {
  const [saving, failed] = await Promise.all([savesUnderWay(pool, limit), savesFailed(pool, limit)]);
  const sections = [
    ...section(saving, {
      saving: 'profile_id',
      account: 'account_id',
      session: 'session_id',
      node: 'node_id',
      until: 'lease_expires_at',
    }),
    ...section(failed, {
      failed: 'profile_id',
      account: 'account_id',
      'last used': 'last_used_at',
      reason: 'reason',
      detail: 'detail',
    }),
  ];
  const lines =
    sections.length === 0 ? ['No save is under way, and no profile’s last save failed.'] : sections;
  return { value: { saving, failed }, lines };
}

async function sweep(
  { config, runner, openBlobs }: Operator,
  { dryRun = false }: { readonly dryRun?: boolean },
): Promise<Answer> {
  const logger = silentLogger();
  const { kept, deleted } = await sweepBlobs({ blobs: await openBlobs(), runner, clock, logger }, { dryRun });
  const store = blobUrl(config);
  const bytes = deleted.reduce((sum, blob) => sum + blob.bytes, 0);
  const value = {
    store,
    dry_run: dryRun,
    kept,
    bytes,
    deleted: deleted.map((blob) => ({ blob: blob.key, bytes: blob.bytes, stored_at: blob.storedAt })),
  };
  const what = `${store}: ${deleted.length} ${dryRun ? 'would be deleted' : 'deleted'} (${bytes} bytes), ${kept} kept`;
  const lines = [what, ...section(deleted, { blob: 'key', bytes: 'bytes', stored: 'storedAt' })];
  return { value, lines };
}
