import { randomUUID } from 'node:crypto';
import type { CommandContext } from '../../../../commands/engine/context.ts';
import { scopes } from '../../../../contracts/events/api-key.ts';
import type { AccountId } from '../../../../contracts/ids.ts';
import type { Tier } from '../../../../contracts/tiers.ts';
import { systemClock as clock } from '../../../platform/clock.ts';
import { loadConfig, need } from '../../../config/index.ts';
import { onlyPepper } from '../../../keys/index.ts';
import { silentLogger } from '../../../logging/index.ts';
import { composeStaffCommands } from '../../../main/composition/commands.ts';
import { erasedIn } from '../../../main/composition/erased.ts';
import { openEventStore, openPostgres, openRunner, openVault } from '../../../main/composition/stores.ts';
import { commandEnvironment } from '../../../main/cli/environment.ts';
import { createLifetime } from '../../../main/lifetime.ts';
import type { Position } from '../../../event-store/client/index.ts';
import { sealedStore } from '../../../personal/sealed-store.ts';
import { createAccountPositions } from '../../../ephemeral/index.ts';
import type { FaultyStack } from '../../testbed/faulty-stack.ts';

/** Staff's commands, run in this process instead of one for each command. It connects to the stores directly. */
export interface Operator {
  readonly pool: ReturnType<typeof openPostgres>['pool'];
  readonly store: ReturnType<typeof openEventStore>;
  readonly vault: ReturnType<typeof openVault>;
  account(email: string, tier: Tier): Promise<{ readonly account: AccountId; readonly token: string }>;
  /** `requestId` becomes that of the events. */
  suspend(account: AccountId, requestId: string): Promise<unknown>;
  unsuspend(account: AccountId, requestId: string): Promise<unknown>;
  close(): Promise<void>;
}

export function openOperator({ dataDir, stores }: FaultyStack): Operator {
  const urls = { EVENTSTORE_URL: stores.eventStore.url, POSTGRES_URL: stores.postgres.url };
  const config = loadConfig({ ...commandEnvironment({ DATA_DIR: dataDir }), ...urls });
  const logger = silentLogger();
  const lifetime = createLifetime(logger);
  const { pool } = openPostgres({ config, logger, lifetime }, 'harness');
  const store = openEventStore({ config, logger, lifetime });
  const vault = openVault(config, pool);
  const runner = openRunner({ config, logger }, sealedStore(store, vault));
  const positions = createAccountPositions({ pool, logger });
  const [pepper] = need(config, 'KEY_PEPPER');
  const staff = { config, clock, runner, vault, peppers: onlyPepper(pepper), erased: erasedIn(pool) };
  const { accounts, apiKeys: keys } = composeStaffCommands(staff);
  /** Records the account's position as the operator's command does, so that readers wait for the write. */
  const recorded = async (account: AccountId, change: Promise<Position | undefined>) => {
    const position = await change;
    if (position !== undefined) await positions.record(account, position);
    return position;
  };
  return {
    pool,
    store,
    vault,
    account: async (email, tier) => {
      const { accountId } = await accounts.create({ email, tier }, byStaff());
      const key = { name: 'first', scopes: scopesOfAKey, expiresAt: null };
      const { text, position } = await keys.create(accountId, key, 'staff', byStaff());
      if (position !== undefined) await positions.record(accountId, position);
      return { account: accountId, token: text };
    },
    suspend: (account, requestId) =>
      recorded(account, accounts.suspend(account, 'chaos', byStaff(requestId))),
    unsuspend: (account, requestId) => recorded(account, accounts.unsuspend(account, byStaff(requestId))),
    close: () => lifetime.close(),
  };
}

const scopesOfAKey = scopes.filter((scope) => !scope.includes(':'));

function byStaff(requestId: string | null = null): CommandContext {
  const commandId = randomUUID();
  const actor = { kind: 'staff', account_id: null } as const;
  const root = { correlationId: commandId, causationId: commandId, by: 'request:harness' } as const;
  return { commandId, ...root, actor, requestId };
}
