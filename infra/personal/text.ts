import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { SealUnreadable, type Sealer, type Vault } from '../vault/index.ts';

export type Opening = Pick<Vault, 'open'>;

/** The vault's field of all personal values. */
const field = 'personal';
/** `<marker>.<uuid of the account>.<the value as JSON, sealed by the vault>`. */
const marker = 'personal1';

export const sealValue = (seal: Sealer, owner: AccountId, value: unknown): string =>
  `${marker}.${uuidOf(owner)}.${seal(field, JSON.stringify(value))}`;

export const looksSealed = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(`${marker}.`);

/** The sealed value; undefined once its account's data key is destroyed. Rejects with `SealUnreadable`. */
export async function openValue(vault: Opening, text: string): Promise<unknown> {
  const [, uuid = '', ...sealed] = text.split('.');
  const opened = await vault.open(toId('account', uuid), field, sealed.join('.'));
  return 'text' in opened ? JSON.parse(opened.text) : undefined;
}

/**
 * Rows of a read model with all sealed texts opened; an empty text if the data key is destroyed. A text that only looks sealed,
 * written by a customer before texts were sealed, fails to open and is returned as it is: only the key can make one that opens.
 */
export const openRows = <Row>(vault: Opening, rows: readonly Row[]): Promise<Row[]> =>
  // Each row has its type before sealing.
  Promise.all(rows.map(async (row) => (hasSealed(row) ? ((await openAll(vault, row)) as Row) : row)));

const hasSealed = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(hasSealed) : looksSealed(value);

async function openAll(vault: Opening, value: unknown): Promise<unknown> {
  if (looksSealed(value)) return (await openIfSealed(vault, value)) ?? '';
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Promise.all(value.map((each) => openAll(vault, each)));
  const entries = Object.entries(value).map(
    async ([name, each]) => [name, await openAll(vault, each)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

const openIfSealed = (vault: Opening, text: string): Promise<unknown> =>
  openValue(vault, text).catch((error: unknown) => {
    if (error instanceof SealUnreadable) return text;
    throw error;
  });
