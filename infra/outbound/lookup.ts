import { lookup as systemLookup } from 'node:dns/promises';

/** Every address of a name, in the resolver's order. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Resolves names by the system's resolver. */
export async function lookupAll(hostname: string): Promise<readonly string[]> {
  const found = await systemLookup(hostname, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}
