import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { seconds } from './seconds.ts';
import { kinds, shardsOf } from './shards.ts';
import { select, testFilesIn } from './selection.ts';

const files = [
  'commands/webhook-endpoint/subscriptions.test.ts',
  'contracts/webhooks/verify.test.ts',
  'domain/delivery-policy/policy.test.ts',
  'infra/http/body.test.ts',
  'write-api/api-key/api-key.test.ts',
];

describe('the tests that words select', () => {
  it('are all those below a folder, or the one in a file', () => {
    expect(select(files, ['infra/http']).files).to.deep.equal(['infra/http/body.test.ts']);
    expect(select(files, ['./write-api/']).files).to.deep.equal(['write-api/api-key/api-key.test.ts']);
    expect(select(files, ['./commands/webhook-endpoint/']).files).to.deep.equal([files[0]]);
    expect(select(files, ['contracts']).files).to.deep.equal(['contracts/webhooks/verify.test.ts']);
    expect(select(files, ['write-api/api-key/api-key.test.ts']).files).to.deep.equal([
      'write-api/api-key/api-key.test.ts',
    ]);
  });

  it('are those of a resource in every layer, in singular and plural', () => {
    expect(select(files, ['webhooks']).files).to.deep.equal(files.slice(0, 2));
    expect(select(files, ['policies']).files).to.deep.equal([files[2]]);
    expect(select(files, ['api-keys']).files).to.deep.equal([files[4]]);
  });

  it('are of several words together, each once', () => {
    expect(select(files, ['webhook', 'contracts', 'http']).files).to.deep.equal([
      files[0],
      files[1],
      files[3],
    ]);
  });

  it('leave out words that match none', () => {
    expect(select(files, ['http', 'profiles'])).to.deep.equal({
      files: ['infra/http/body.test.ts'],
      unmatched: ['profiles'],
    });
  });

  it('include long ones only if a word is the beginning of their name, not as part of a folder', () => {
    const long = 'infra/http/flood.named.test.ts';
    const all = [...files, long];
    expect(select(all, ['flood']).files).to.deep.equal([long]);
    expect(select(all, [long]).files).to.deep.equal([long]);
    expect(select(all, ['infra/http', 'http']).files).to.deep.equal(['infra/http/body.test.ts']);
  });

  it('are only the long ones if the word is their whole name, or its first words', () => {
    const [long, other] = ['infra/http/flood-of-calls.named.test.ts', 'infra/http/floods.test.ts'];
    for (const word of ['flood', 'flood-of-calls'])
      expect(select([long, other], [word]).files).to.deep.equal([long]);
    expect(select([long, other], ['floo']).files).to.deep.equal([long, other]);
  });

  it('are found by any distinct path, and each is run once', () => {
    const all = testFilesIn(fileURLToPath(new URL('../../..', import.meta.url)));
    const named = [...Object.values(kinds).flatMap(({ paths }) => paths), ...Object.keys(seconds)];
    expect(named.filter((path) => !all.some((file) => file.startsWith(path)))).to.deep.equal([]);
    expect(shardsOf(all).flatMap((shard) => shard.files)).to.have.members(all);
  });

  it('are divided so that the longest processes start first, and a long file is with few others', () => {
    const errands = 'infra/verification/mcp/people-and-agents.test.ts';
    const long = Object.keys(seconds).filter((file) => file === errands || file.includes('/cases/cases'));
    const short = Array.from({ length: 100 }, (_each, index) => `domain/${index}.test.ts`);
    const shards = shardsOf([...short, ...long]);
    const withErrands = shards.find((shard) => shard.files.includes(errands));
    expect(withErrands?.files.length).to.be.below(10);
    expect(shards.map((shard) => shard.name)).to.deep.equal([
      'browsers',
      'rest',
      'rest',
      'rest',
      'rest',
      'rest',
    ]);
  });
});
