import { isIP, type LookupFunction } from 'node:net';

/** A DNS lookup pinned to checked addresses. */
export function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (hostname, { all }, done) => {
    const [first] = found;
    if (all) done(null, found);
    else if (first) done(null, first.address, first.family);
    else done(new Error(`${hostname} has no checked address.`), '');
  };
}
