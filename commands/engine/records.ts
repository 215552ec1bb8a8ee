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
import { now, ownedContext, ownedStep, stepContext, type CommandContext } from './context.ts';
import { isAbandoned, reserveOrReclaim } from './quota.ts';
import type { Runner, RunOutcome } from './runner.ts';

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

/** A noun, and what its commands work with. */
type Of<Fields, Command, Event extends DomainEvent> = RecordPorts & RecordNoun<Fields, Command, Event>;

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
  const of = { ...ports, ...noun };
  return {
    /** `not-found` for what is missing, deleted, another account's or no id. */
    async find(accountId: AccountId, text: string): Promise<Stored<Fields>> {
      const id = parseId(kind, text);
      const state = id === undefined ? undefined : await present(of, id);
      if (state?.status !== 'live' || state.accountId !== accountId) throw refuse('not-found');
      return state;
    },
    /** The id derives from the command, so that the same command finds what it made before. */
    async create(accountId: AccountId, fields: Fields, by: CommandContext) {
      const context = ownedContext(by, accountId);
      const id = toId(kind, stepContext(context, 'record').commandId);
      await reserve(of, accountId, id, nameOf(fields), context);
      const create = { type: 'Create', id, accountId, fields, at: now(ports) } as const;
      return written(await run(of, id, create, stepContext(context, 'create')));
    },
    async change({ id, accountId, fields }: Stored<Fields>, changes: Partial<Fields>, by: CommandContext) {
      const context = ownedContext(by, accountId);
      const [before, after] = [nameOf(fields), nameOf({ ...fields, ...changes })];
      if (before !== after) await reserve(of, accountId, id, after, context);
      const change = { type: 'Change', changes, at: now(ports) } as const;
      const outcome = await run(of, id, change, stepContext(context, 'change'));
      if (before !== after) await release(of, accountId, id, before, context);
      return written(outcome);
    },
    async delete({ id, accountId }: Stored<Fields>, by: CommandContext) {
      const context = ownedContext(by, accountId);
      const step = stepContext(context, 'delete');
      const { position } = await run(of, id, { type: 'Delete', at: now(ports) }, step);
      const released = await release(of, accountId, id, null, context);
      return released.position ?? position;
    },
    /** A command of the noun's own. */
    run: async ({ id, accountId }: Stored<Fields>, command: Command, by: CommandContext) =>
      written(await run(of, id, command, ownedStep(by, accountId, 'run'))),
  };
}

const run = <Fields, Command, Event extends DomainEvent>(
  { runner, record }: Of<Fields, Command, Event>,
  id: string,
  command: Command | RecordCommand<Fields>,
  context: CommandContext,
) => runner.run(record, uuidOf(id), command, context);

const present = async <Fields, Command, Event extends DomainEvent>(
  { runner, record }: Of<Fields, Command, Event>,
  id: string,
): Promise<RecordState<Fields>> => (await runner.load(record, uuidOf(id))).state;

function release(
  ports: RecordPorts & { readonly quota: Decider<Quota, QuotaCommand, QuotaEvent> },
  accountId: AccountId,
  id: string,
  name: string | null,
  context: CommandContext,
) {
  const command = { type: 'Release', accountId, id, name, at: now(ports) } as const;
  const step = stepContext(context, `release ${id} ${name}`);
  return ports.runner.run(ports.quota, uuidOf(accountId), command, step);
}

/** Takes a name, and a share of the quota; what stands in the way and is held by no record is reclaimed first. */
async function reserve<Fields, Command, Event extends DomainEvent>(
  of: Of<Fields, Command, Event>,
  accountId: AccountId,
  id: string,
  name: string,
  context: CommandContext,
): Promise<void> {
  const { runner, quota, limit } = of;
  const uuid = uuidOf(accountId);
  const take = () => {
    const command = { type: 'Reserve', accountId, id, name, limit, at: now(of) } as const;
    return runner.run(quota, uuid, command, stepContext(context, 'reserve'));
  };
  const reservations = async () => (await runner.load(quota, uuid)).state.reservations;
  const reclaimed = (each: Reservation) => reclaim(of, accountId, each, context);
  await reserveOrReclaim(take, reservations, reclaimed, ['tier-limit', 'conflict']);
}

/** Releases what no record holds: its request died, or was killed before it could release. */
async function reclaim<Fields, Command, Event extends DomainEvent>(
  of: Of<Fields, Command, Event>,
  accountId: AccountId,
  { id, names, since }: Reservation,
  context: CommandContext,
): Promise<void> {
  let held = await present(of, id);
  if (held.status === 'none' && isAbandoned(since, of.clock.now())) {
    const withdraw = { type: 'Withdraw', id, accountId, at: now(of) } as const;
    held = (await run(of, id, withdraw, stepContext(context, `withdraw ${id}`))).state;
  }
  if (held.status === 'withdrawn' || held.status === 'deleted')
    await release(of, accountId, id, null, context);
  if (held.status !== 'live' || !isAbandoned(held.updatedAt, of.clock.now())) return;
  const current = of.nameOf(held.fields);
  for (const name of names.filter((each) => !sameName(each, current)))
    await release(of, accountId, id, name, context);
}

function written<Fields>({ state, position }: RunOutcome<RecordState<Fields>, unknown>) {
  if (state.status === 'none' || state.status === 'withdrawn') throw refuse('not-found');
  return { record: state, position };
}
