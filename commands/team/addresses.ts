import type { AccountId } from '../../contracts/ids.ts';
import { seatUuid } from '../../domain/team-member.ts';
import { Cache } from '../../infra/platform/cache.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { ownAddress } from '../account/index.ts';
import type { Runner } from '../engine/runner.ts';

interface AddressPorts {
  readonly runner: Pick<Runner, 'load'>;
  readonly vault: Pick<Vault, 'open'>;
  readonly emailUuid: (email: string) => string;
}

/**
 * The keyed uuids of accounts' addresses, and of their seats on teams. An account's address never changes, so each is opened once
 * and cached. Undefined for a missing or erased account.
 */
export interface Addresses {
  uuidOf(accountId: AccountId): Promise<string | undefined>;
  seatOf(owner: AccountId, accountId: AccountId): Promise<string | undefined>;
}

export function createAddresses(ports: AddressPorts): Addresses {
  const known = new Cache<AccountId, string>();
  const seats = new Cache<string, string>();

  const uuidOfAddress = async (accountId: AccountId): Promise<string | undefined> => {
    const cached = known.get(accountId);
    if (cached !== undefined) return cached;
    const email = await ownAddress(ports, accountId);
    if (email === null) return undefined;
    const uuid = ports.emailUuid(email);
    known.set(accountId, uuid);
    return uuid;
  };

  return {
    uuidOf: uuidOfAddress,
    async seatOf(owner, accountId) {
      const pair = `${owner} ${accountId}`;
      const cached = seats.get(pair);
      if (cached !== undefined) return cached;
      const address = await uuidOfAddress(accountId);
      if (address === undefined) return undefined;
      const seat = seatUuid(owner, address);
      seats.set(pair, seat);
      return seat;
    },
  };
}
