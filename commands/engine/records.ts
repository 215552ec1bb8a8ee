import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { parseId, toId, uuidOf, type AccountId, type IdKind } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Stored } from '../../contracts/record.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import {
  sameName,
  type Quota,
  type QuotaCommand,
  type QuotaEvent,
  type Reservation,
} from '../../domain/kit/quota.ts';
import type { RecordCommand, RecordState } from '../../domain/kit/record.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { ownedContext, stepContext, type CommandContext } from './context.ts';
import { isAbandoned, reserveOrReclaim } from './quota.ts';
import type { Runner } from './runner.ts';

export interface RecordPorts {
  readonly runner: Runner;
  readonly clock: Clock;
}

/** What the commands need to know of a noun. */
export interface RecordNoun<Fields, Command, Event extends DomainEvent> {
  readonly kind: IdKind;
  readonly record: Decider<RecordState<Fields>, Command | RecordCommand<Fields>, Event>;
  readonly quota: Decider<Quota, QuotaCommand, QuotaEvent>;
  /** Records an account may have. */
  readonly limit: number;
  readonly nameOf: (fields: Fields) => string;
}

export interface Written<Fields> {
  readonly record: Stored<Fields>;
  readonly position: Position | undefined;
}

/**
 * Create, change and delete for any noun. A name and a share of the quota are reserved before the record takes them, and
 * released after it let go of them: killed in between, a process leaves a reservation too many, never a record too many.
 * Such a reservation is reclaimed by whoever it stands in the way of.
 */
export function createRecordCommands<Fields, Command, Event extends DomainEvent>(
  ports: RecordPorts,
  noun: RecordNoun<Fields, Command, Event>,
) {
  const { kind, nameOf } = noun;
  const { run, present, now, release, reserve } = reserving(ports, noun, streams(ports, noun));
  return {
    /** `not-found` for what is missing, deleted, another account's or no id. */
    async find(accountId: AccountId, text: string): Promise<Stored<Fields>> {
      const id = parseId(kind, text);
      const state = id === undefined ? undefined : await present(id);
      if (state?.status !== 'live' || state.accountId !== accountId) throw refuse('not-found');
      return state;
    },
    /** The id derives from the command, so that the same command finds what it made before. */
    async create(accountId: AccountId, fields: Fields, by: CommandContext) {
      const context = ownedContext(by, accountId);
      const id = toId(kind, stepContext(context, 'record').commandId);
      await reserve(accountId, id, nameOf(fields), context);
      const create = { type: 'Create', id, accountId, fields, at: now() } as const;
      return written(await run(id, create, stepContext(context, 'create')));
    },
    async change({ id, accountId, fields }: Stored<Fields>, changes: Partial<Fields>, by: CommandContext) {
      const context = ownedContext(by, accountId);
      const [before, after] = [nameOf(fields), nameOf({ ...fields, ...changes })];
      if (before !== after) await reserve(accountId, id, after, context);
      const outcome = await run(id, { type: 'Change', changes, at: now() }, stepContext(context, 'change'));
      if (before !== after) await release(accountId, id, before, context);
      return written(outcome);
    },
    async delete({ id, accountId }: Stored<Fields>, by: CommandContext) {
      const context = ownedContext(by, accountId);
      const { position } = await run(id, { type: 'Delete', at: now() }, stepContext(context, 'delete'));
      const released = await release(accountId, id, null, context);
      return released.position ?? position;
    },
    /** A command of the noun's own. */
    async run({ id, accountId }: Stored<Fields>, command: Command, by: CommandContext) {
      return written(await run(id, command, stepContext(ownedContext(by, accountId), 'run')));
    },
  };
}

/** What is done to the record's stream, and to that of its account's quota. */
function streams<Fields, Command, Event extends DomainEvent>(
  { runner, clock }: RecordPorts,
  { record, quota }: RecordNoun<Fields, Command, Event>,
) {
  const now = (): string => clock.now().toISOString();
  const run = (id: string, command: Command | RecordCommand<Fields>, context: CommandContext) =>
    runner.run(record, uuidOf(id), command, context);
  const present = async (id: string) => (await runner.load(record, uuidOf(id))).state;

  const release = (accountId: AccountId, id: string, name: string | null, context: CommandContext) => {
    const command = { type: 'Release', accountId, id, name, at: now() } as const;
    return runner.run(quota, uuidOf(accountId), command, stepContext(context, `release ${id} ${name}`));
  };
  return { now, run, present, release };
}

/** Takes a name, and a share of the quota; what stands in the way and is held by no record is reclaimed first. */
function reserving<Fields, Command, Event extends DomainEvent>(
  { runner, clock }: RecordPorts,
  { quota, limit, nameOf }: RecordNoun<Fields, Command, Event>,
  on: ReturnType<typeof streams<Fields, Command, Event>>,
) {
  const { now, run, present, release } = on;
  /** Releases what no record holds: its request died, or was killed before it could release. */
  const reclaim = async (
    accountId: AccountId,
    { id, names, since }: Reservation,
    context: CommandContext,
  ) => {
    let held = await present(id);
    if (held.status === 'none' && isAbandoned(since, clock.now())) {
      const withdraw = { type: 'Withdraw', id, accountId, at: now() } as const;
      held = (await run(id, withdraw, stepContext(context, `withdraw ${id}`))).state;
    }
    if (held.status === 'withdrawn' || held.status === 'deleted') await release(accountId, id, null, context);
    if (held.status !== 'live' || !isAbandoned(held.updatedAt, clock.now())) return;
    const current = nameOf(held.fields);
    for (const name of names.filter((each) => !sameName(each, current)))
      await release(accountId, id, name, context);
  };
  const reserve = async (accountId: AccountId, id: string, name: string, context: CommandContext) => {
    const reserved = () => {
      const command = { type: 'Reserve', accountId, id, name, limit, at: now() } as const;
      return runner.run(quota, uuidOf(accountId), command, stepContext(context, 'reserve'));
    };
    const reservations = async () => (await runner.load(quota, uuidOf(accountId))).state.reservations;
    const reclaimed = (each: Reservation) => reclaim(accountId, each, context);
    await reserveOrReclaim(reserved, reservations, reclaimed, ['tier-limit', 'conflict']);
  };
  return { ...on, reserve };
}

function written<Fields>({
  state,
  position,
}: {
  readonly state: RecordState<Fields>;
  readonly position: Position | undefined;
}): Written<Fields> {
  if (state.status === 'none' || state.status === 'withdrawn') throw refuse('not-found');
  return { record: state, position };
}
