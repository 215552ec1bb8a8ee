import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');
/** Layers that must query through this folder. Verification reads tables on purpose, from outside. */
const above = ['commands', 'domain', 'read-api', 'write-api', 'infra'];
const exempt = /\.test\.ts$|testing(\/|\.ts$)|^infra\/(verification|postgres)\//;

describe('SQL on read models', () => {
  it('is in this layer only', () => {
    const found = above
      .flatMap((layer) =>
        readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' }).map(
          (path) => `${layer}/${path}`,
        ),
      )
      .filter((path) => path.endsWith('.ts') && !exempt.test(path))
      .filter((path) =>
        /\b(from|join|into|update) read_model\.|selectFrom\('read_model/.test(
          readFileSync(join(root, path), 'utf8'),
        ),
      );
    expect(found).to.deep.equal([]);
  });
});
