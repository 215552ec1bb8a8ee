import { uuidOf } from '../../contracts/ids.ts';
import type { Config } from '../../infra/config/index.ts';
import { publicUrl } from '../../infra/main/composition/public-url.ts';
import { openNoteKeys, openVault } from '../../infra/main/composition/stores.ts';
import { checkSignedHeads } from '../audit/check-heads.ts';
import { createHeadSigner } from '../audit/signing.ts';
import { aSession, anAccount, at, by, destroyed, requested, sessionStream, type ReadSide } from './index.ts';

/** A new account with the entries of one session in its audit log, which can be signed, checked and shortened. No head is signed yet. */
export async function signedLog(side: ReadSide, config: Config) {
  const { pool } = side.postgres;
  const account = anAccount();
  await side.rows('truncate vault.signed_heads, vault.signing_stops, vault.signing_keys');
  /** The keys and the signer of one process. */
  const opened = () => {
    const [vault, noteKeys] = [openVault(config, pool), openNoteKeys(config, pool)];
    const sign = createHeadSigner({ pool, vault, noteKeys, baseUrl: publicUrl(config) });
    return { vault, noteKeys, sign };
  };
  const aChange = async () => {
    const id = aSession();
    await side.append(sessionStream(id), [requested(id, account), destroyed(id)], by(account));
    await side.caughtUp();
  };
  const sealedEmail = await opened().vault.seal(account, 'email', 'someone@example.com');
  const data = { accountId: account, sealedEmail, tier: 'team', at };
  await side.append(`account-${uuidOf(account)}`, [{ type: 'AccountCreated', data }], by(account));
  await aChange();
  return {
    account,
    opened,
    aChange,
    /** The number of entries. */
    async entries() {
      const [row] = await side.rows(
        'select max(sequence) as size from read_model.audit_log where account_id = $1',
        [account],
      );
      return row?.size as number;
    },
    check: (log = '', publicHead = async (): Promise<string | null> => null) =>
      checkSignedHeads({ pool, store: side.store, log, publicHead }),
    /** Deletes the entries after the first `count`. */
    lose: (count: number) =>
      side.rows('delete from read_model.audit_log where account_id = $1 and sequence > $2::integer', [
        account,
        count,
      ]),
  };
}

export type SignedLog = Awaited<ReturnType<typeof signedLog>>;
