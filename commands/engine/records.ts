import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Stored } from '../../contracts/record.ts';
import type {
  AnyRecordNoun,
  ChangeRecord,
  RecordCommand,
  RecordNoun,
  RecordState,
} from '../../domain/kit/record.ts';
import { now, ownedContext, ownedStep, stepContext, type CommandContext } from './context.ts';
import { findOwned } from './find-owned.ts';
import {
  quotaStreamOf,
  release,
  renameReserved,
  reserve,
  type AccountQuota,
  type Reservations,
} from './reservations.ts';
import type { CommandPorts, RunOutcome } from './runner.ts';

/** A noun with its ports. */
type Of<Fields, Command, Event extends DomainEvent> = CommandPorts & RecordNoun<Fields, Command, Event>;

/**
 * Create and delete for any noun. Name and quota are reserved before the record is created, and released after it is deleted: a
 * crash in between leaves a surplus reservation, never a surplus record. The next request that such a reservation blocks reclaims
 * it.
 */
export function createRecordCommands<Fields, Command, Event extends DomainEvent>(
  ports: CommandPorts,
  noun: RecordNoun<Fields, Command, Event>,
  renaming: Pick<Reservations, 'lapse'> = {},
) {
  const { nameOf, contract } = noun;
  const { kind, limit } = contract;
  const of = { ...ports, ...noun };
  const held = { ...recordReservations(ports, noun), ...renaming };
  return {
    /** Throws `not-found` for a missing, deleted or foreign record and for an invalid id. */
    find: (accountId: AccountId, text: string): Promise<Stored<Fields>> => find(of, accountId, text),
    /** The same, but finds a deleted record too, so that a repeated delete changes nothing and succeeds. */
    findEvenDeleted: (accountId: AccountId, text: string): Promise<Stored<Fields>> =>
      findEvenDeleted(of, accountId, text),
    /** The id derives from the command, so that a repeated command finds its record. */
    async create(accountId: AccountId, fields: Fields, by: CommandContext) {
      const context = ownedContext(by, accountId);
      const id = toId(kind, stepContext(context, 'record').commandId);
      await reserve(held, { accountId, id, name: nameOf(fields), limit }, context);
      const create = { type: 'Create', id, accountId, fields, at: now(ports) } as const;
      return written(await run(of, id, create, stepContext(context, 'create')));
    },
    async delete({ id, accountId }: Stored<Fields>, by: CommandContext) {
      const context = ownedContext(by, accountId);
      const step = stepContext(context, 'delete');
      const { position } = await run(of, id, { type: 'Delete', at: now(ports) }, step);
      const released = await release(held, { accountId, id, name: null }, context);
      return released.position ?? position;
    },
    /** Runs a command of the noun's own. */
    run: async ({ id, accountId }: Stored<Fields>, command: Command, by: CommandContext) =>
      written(await run(of, id, command, ownedStep(by, accountId, 'run'))),
  };
}

/** Change for a noun with changeable records. Reserves a new name first, and releases the old one afterwards. */
export const changeRecord =
  <Fields, Event extends DomainEvent>(
    ports: CommandPorts,
    noun: RecordNoun<Fields, ChangeRecord<Fields>, Event>,
    renaming: Required<Pick<Reservations, 'lapse'>>,
  ) =>
  async ({ id, accountId, fields }: Stored<Fields>, changes: Partial<Fields>, by: CommandContext) => {
    const context = ownedContext(by, accountId);
    const [before, after] = [noun.nameOf(fields), noun.nameOf({ ...fields, ...changes })];
    const changed = (reservedAt?: string) => {
      const command = { type: 'Change', changes, reservedAt, at: now(ports) } as const;
      return run({ ...ports, ...noun }, id, command, stepContext(context, 'change'));
    };
    if (before === after || before === null || after === null) return written(await changed());
    const held = { ...recordReservations(ports, noun), ...renaming };
    return written(await renameReserved(held, { accountId, id, before, after }, changed, context));
  };

const run = <Fields, Command, Event extends DomainEvent>(
  { runner, record }: Of<Fields, Command, Event>,
  id: string,
  command: Command | RecordCommand<Fields>,
  context: CommandContext,
) => runner.run(record, uuidOf(id), command, context);

async function find<Fields, Command, Event extends DomainEvent>(
  of: Of<Fields, Command, Event>,
  accountId: AccountId,
  text: string,
) {
  const found = await findEvenDeleted(of, accountId, text);
  if (found.status !== 'live') throw refuse('not-found');
  return found;
}

const findEvenDeleted = <Fields, Command, Event extends DomainEvent>(
  { runner, record, contract }: Of<Fields, Command, Event>,
  accountId: AccountId,
  text: string,
) => findOwned(runner, record, contract.kind, accountId, text);

/** The noun's quota and names. */
export function recordReservations({ runner, clock }: CommandPorts, noun: AnyRecordNoun): AccountQuota {
  const { record, quota } = noun;
  const stateOf = async (id: string) => (await runner.load(record, uuidOf(id))).state;
  return {
    clock,
    quota: quotaStreamOf(runner, quota),
    async resourceOf(id) {
      const state = await stateOf(id);
      if (state.status === 'none') return { kind: 'not created' };
      return state.status === 'live'
        ? { kind: 'present', name: noun.nameOf(state.fields) }
        : { kind: 'ended' };
    },
    withdraw: (id, accountId, step) =>
      runner.run(record, uuidOf(id), { type: 'Withdraw', id, accountId, at: now({ clock }) }, step),
    async end(id, _accountId, step) {
      if ((await stateOf(id)).status !== 'live') return;
      await runner.run(record, uuidOf(id), { type: 'Delete', at: now({ clock }) }, step);
    },
  };
}

function written<Fields>({ state, position }: RunOutcome<RecordState<Fields>, unknown>) {
  if (state.status === 'none' || state.status === 'withdrawn') throw refuse('not-found');
  return { record: state, position };
}
