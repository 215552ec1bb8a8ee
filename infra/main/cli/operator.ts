import { randomUUID } from 'node:crypto';
import type { AccountCommands } from '../../../commands/account/index.ts';
import type { Erasure } from '../../../commands/account/erase.ts';
import type { ApiKeyCommands } from '../../../commands/api-key/index.ts';
import type { CommandContext } from '../../../commands/engine/context.ts';
import { createNodeCommands, type NodeCommands } from '../../../commands/node/index.ts';
import type { Runner } from '../../../commands/engine/runner.ts';
import { accountEvents } from '../../../contracts/events/account.ts';
import { streamOf } from '../../../contracts/events/catalogue.ts';
import { uuidOf, type AccountId } from '../../../contracts/ids.ts';
import type { BlobStore } from '../../blobs/index.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { loadConfig, type Config, type Environment } from '../../config/index.ts';
import { EventStoreUnavailable, type EventStore, type Position } from '../../event-store/client/index.ts';
import { isPostgresOutage } from '../../postgres/index.ts';
import { sealedStore } from '../../personal/sealed-store.ts';
import type { Peppers } from '../../keys/index.ts';
import type { Vault } from '../../vault/index.ts';
import { silentLogger } from '../../logging/index.ts';
import { createAccountPositions } from '../../ephemeral/index.ts';
import { openRunner, openEventStore, openPostgres, openVault } from '../composition/stores.ts';
import { composeStaffCommands } from '../composition/commands.ts';
import { erasedIn } from '../composition/erased.ts';
import { openPeppers } from '../composition/secrets.ts';
import { openBlobs } from '../composition/profiles.ts';
import { createLifetime } from '../lifetime.ts';
import { commandEnvironment, toFindTheService } from './environment.ts';

/** Ports of an operator's command, opened for one command. */
export interface Operator {
  readonly config: Config;
  /** Stored events; sealed fields stay sealed. */
  readonly store: EventStore;
  readonly pool: ReturnType<typeof openPostgres>['pool'];
  readonly runner: Runner;
  readonly vault: Vault;
  readonly peppers: Peppers;
  readonly accounts: AccountCommands;
  readonly erasure: Erasure;
  readonly apiKeys: ApiKeyCommands;
  readonly nodes: NodeCommands;
  /** The object store, closed with everything else. */
  readonly openBlobs: () => Promise<BlobStore>;
  /** Every actor is staff. */
  readonly context: CommandContext;
  /** Makes the account's next reads wait for this position. */
  awaitInReads(accountId: AccountId, position: Position | undefined): Promise<void>;
}

/**
 * Opens the stores of the running stack, runs the work, and closes them in any case. `shell`: the variables that say which stack.
 */
export async function asOperator<T>(
  work: (operator: Operator) => Promise<T>,
  shell: Environment = process.env,
): Promise<T> {
  const config = operatorConfig(shell);
  const logger = silentLogger();
  const lifetime = createLifetime(logger);
  const opening = { config, logger, lifetime };
  try {
    const { pool } = openPostgres(opening, 'operator');
    const store = openEventStore(opening);
    const vault = openVault(config, pool);
    const runner = openRunner(opening, sealedStore(store, vault));
    const peppers = await openPeppers(config, pool);
    const positions = createAccountPositions({ pool, logger });
    return await work({
      config,
      store,
      pool,
      runner,
      vault,
      peppers,
      ...composeStaffCommands({ config, clock, runner, vault, peppers, erased: erasedIn(pool) }),
      nodes: createNodeCommands({ runner, clock }),
      openBlobs: () => openBlobs(opening),
      context: staffContext(),
      awaitInReads: async (accountId, position) => {
        if (position !== undefined) await positions.record(accountId, position);
      },
    });
  } catch (error) {
    throw isOutage(error) ? new Error(outageOf(error), { cause: error }) : error;
  } finally {
    await lifetime.close();
  }
}

const isOutage = (error: unknown): error is Error =>
  isPostgresOutage(error) || error instanceof EventStoreUnavailable;

/** The several addresses of one host fail together, in an error without a message. */
function outageOf(error: Error): string {
  const reasons = error instanceof AggregateError ? error.errors.map(String) : [error.message];
  return `A store does not answer (${reasons.join('; ').trim()}). Run \`service doctor\`: it shows which one.`;
}

/** Throws if there was never such an account. */
export async function assertAccount({ store }: Pick<Operator, 'store'>, account: AccountId): Promise<void> {
  for await (const _created of store.readStream(streamOf(accountEvents, uuidOf(account)), { limit: 1 }))
    return;
  throw new Error(`There is no account ${account}.`);
}

function operatorConfig(shell: Environment): Config {
  const config = loadConfig(commandEnvironment(shell));
  if (config.EVENTSTORE_URL === undefined || config.POSTGRES_URL === undefined) {
    throw new Error(`No service is running on ${config.DATA_DIR}. ${toFindTheService}`);
  }
  return config;
}

/** Context of a staff command. */
export function staffContext(by = 'service command'): CommandContext {
  const commandId = randomUUID();
  const actor = { kind: 'staff', account_id: null } as const;
  const root = { correlationId: commandId, causationId: commandId, by: `request:${by}` } as const;
  return { commandId, ...root, actor, requestId: null };
}
