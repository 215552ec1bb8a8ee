import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Stored } from '../../contracts/record.ts';
import type { RecordCommand, RecordNoun, RecordState } from '../../domain/kit/record.ts';
import { now, ownedContext, ownedStep, stepContext, type CommandContext } from './context.ts';
import { findOwned } from './find-owned.ts';
import { onQuota, release, renamed, reserve, type AccountQuota } from './reservations.ts';
import type { CommandPorts, RunOutcome } from './runner.ts';

/** A noun with the ports of its commands. */
type Of<Fields, Command, Event extends DomainEvent> = CommandPorts & RecordNoun<Fields, Command, Event>;

/**
 * Create, change and delete for any noun. A name and a share of the quota are reserved before the record takes them, and
 * released after the record gave them up: a crash in between leaves a reservation too many, never a record too many.
 * Such a reservation is reclaimed by the next request that it blocks.
 */
export function createRecordCommands<Fields, Command, Event extends DomainEvent>(
  ports: CommandPorts,
  noun: RecordNoun<Fields, Command, Event>,
) {
  const { nameOf, contract } = noun;
  const { kind, limit } = contract;
  const of = { ...ports, ...noun };
  const held = recordQuota(ports, noun);
  return {
    /** Throws `not-found` for a missing, deleted or foreign record and for an invalid id. */
    find: (accountId: AccountId, text: string): Promise<Stored<Fields>> => find(of, accountId, text),
    /** Its owner finds a deleted record too: to delete it again changes nothing and is no mistake. */
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
    async change({ id, accountId, fields }: Stored<Fields>, changes: Partial<Fields>, by: CommandContext) {
      const context = ownedContext(by, accountId);
      const [before, after] = [nameOf(fields), nameOf({ ...fields, ...changes })];
      const command = { type: 'Change', changes, at: now(ports) } as const;
      const changed = () => run(of, id, command, stepContext(context, 'change'));
      if (before === after || before === null || after === null) return written(await changed());
      return written(await renamed(held, { accountId, id, before, after }, changed, context));
    },
    async delete({ id, accountId }: Stored<Fields>, by: CommandContext) {
      const context = ownedContext(by, accountId);
      const step = stepContext(context, 'delete');
      const { position } = await run(of, id, { type: 'Delete', at: now(ports) }, step);
      const released = await release(held, { accountId, id, name: null }, context);
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

/** How the noun's reservations are held. */
export function recordQuota<Fields, Command, Event extends DomainEvent>(
  ports: CommandPorts,
  noun: RecordNoun<Fields, Command, Event>,
): AccountQuota {
  const of = { ...ports, ...noun };
  return {
    clock: of.clock,
    quota: onQuota(of.runner, of.quota),
    async holding(id) {
      const state = await present(of, id);
      if (state.status === 'none') return { kind: 'never came' };
      return state.status === 'live' ? { kind: 'present', name: of.nameOf(state.fields) } : { kind: 'ended' };
    },
    withdraw: (id, accountId, step) => run(of, id, { type: 'Withdraw', id, accountId, at: now(of) }, step),
    async end(id, _accountId, step) {
      const { status } = await present(of, id);
      if (status === 'live') await run(of, id, { type: 'Delete', at: now(of) }, step);
    },
  };
}

function written<Fields>({ state, position }: RunOutcome<RecordState<Fields>, unknown>) {
  if (state.status === 'none' || state.status === 'withdrawn') throw refuse('not-found');
  return { record: state, position };
}
