import type { Caller, CommandContext } from '../../commands/engine/context.ts';
import { openSealedOrThrow } from '../../commands/engine/open-sealed.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { Stored } from '../../contracts/record.ts';
import { recordContracts, type RecordContract, type RecordName } from '../../contracts/records.ts';
import type { RouteIdOn } from '../../contracts/routes/index.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { Handling, HandlersOf } from './handling.ts';

/** A record after a command. */
interface Written {
  readonly record: Stored<unknown>;
  readonly position: Position | undefined;
}

/**
 * The commands of a noun of records; bodies are validated by its routes. Declared as methods, so that commands with typed bodies
 * and records are assignable.
 */
export interface RecordVerbs {
  find(accountId: AccountId, id: string): Promise<Stored<unknown>>;
  findEvenDeleted(accountId: AccountId, id: string): Promise<Stored<unknown>>;
  create(caller: Caller, body: object): Promise<Written>;
  /** Absent if the noun's records are immutable. */
  change?(record: Stored<unknown>, body: object, context: CommandContext): Promise<Written>;
  delete(record: Stored<unknown>, context: CommandContext): Promise<Position | undefined>;
}

type RoutesOf<Verb extends string> = Extract<RouteIdOn<'write'>, `${RecordName}.${Verb}`>;

/** The routes that create, change and delete records of every noun. */
export const recordHandlers = (
  nouns: Readonly<Record<RecordName, RecordVerbs>>,
  vault: Pick<Vault, 'open'>,
  handling: Handling,
): HandlersOf<RoutesOf<'create' | 'update' | 'delete'>> =>
  Object.fromEntries(
    recordContracts.flatMap((noun) => Object.entries(handlersOf(noun, nouns[noun.name], vault, handling))),
  ) as HandlersOf<RoutesOf<'create' | 'update' | 'delete'>>;

function handlersOf(
  { name, present }: RecordContract,
  records: RecordVerbs,
  vault: Pick<Vault, 'open'>,
  { answering, answeringOn }: Handling,
): Readonly<Record<string, unknown>> {
  const shown = async ({ record, position }: Written) => {
    const { accountId } = record;
    const open = (field: string, sealed: string) => openSealedOrThrow(vault, accountId, field, sealed);
    return { body: await present(record, open), position };
  };
  const { change } = records;
  const onRecord = answeringOn(({ accountId }, id) => records.find(accountId, id));
  const onEvenDeleted = answeringOn(({ accountId }, id) => records.findEvenDeleted(accountId, id));
  return {
    [`${name}.create`]: answering(
      async ({ caller, body }: { readonly caller: Caller; readonly body: object }) =>
        shown(await records.create(caller, body)),
    ),
    ...(change && {
      [`${name}.update`]: onRecord<RoutesOf<'update'>>(async ({ caller, found, body }) =>
        shown(await change(found, body, caller.context)),
      ),
    }),
    [`${name}.delete`]: onEvenDeleted<RoutesOf<'delete'>>(async ({ caller, found }) => ({
      position: await records.delete(found, caller.context),
    })),
  };
}
