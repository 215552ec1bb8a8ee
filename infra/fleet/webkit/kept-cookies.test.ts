import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { debianBinaries } from './requirements.ts';

/** Prints the number of kept cookies of each domain, and the bytes of their JSON. */
const counting = (cookies: string) => `
import { keptCookies } from '${new URL('host/kept-cookies.js', import.meta.url).href}';

const many = (length, domain, size) =>
  Array.from({ length }, (_, n) => ({ domain, name: 'c' + n, value: 'x'.repeat(size) }));
const { count, json } = keptCookies([${cookies}].flat());
const kept = JSON.parse(json);
const domains = [...new Set(kept.map(({ domain }) => domain))];
const counts = domains.map((domain) => [domain, kept.filter((each) => each.domain === domain).length]);
print(JSON.stringify({ isWhole: count === kept.length, bytes: json.length, counts: Object.fromEntries(counts) }));
`;

interface Kept {
  readonly isWhole: boolean;
  readonly bytes: number;
  readonly counts: Readonly<Record<string, number>>;
}

describe('the cookies that a profile keeps', () => {
  const kept = async (cookies: string): Promise<Kept> => {
    const file = join(tempDir('cookies'), 'program.js');
    writeFileSync(file, counting(cookies));
    const { stdout } = await promisify(execFile)(debianBinaries.gjs, ['-m', file]);
    return JSON.parse(stdout) as Kept;
  };

  it('are all that fit', async () => {
    const { isWhole, counts } = await kept(`many(2000, 'one.test', 4000), many(50, '127.0.0.1', 4000)`);
    expect([isWhole, counts]).to.deep.equal([true, { 'one.test': 2000, '127.0.0.1': 50 }]);
  });

  it('are fewer of the site with the most, whose domains count together, and none less of others', async () => {
    const hoard = [1, 2, 3].map((n) => `many(1000, 'host${n}.hoard.com', 4000)`).join();
    const { isWhole, bytes, counts } = await kept(`${hoard}, many(900, '.other.com', 4000)`);
    expect(isWhole).to.equal(true);
    expect(bytes).to.be.within(8_380_000, 8 * 1024 * 1024);
    expect(counts['.other.com']).to.equal(900);
  });

  it('are ten thousand at most', async () => {
    const { counts } = await kept(`many(60_000, 'hoard.com', 10), many(1000, 'other.test', 10)`);
    expect(counts).to.deep.equal({ 'hoard.com': 9_000, 'other.test': 1_000 });
  });
});
