import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { categories } from '../../contracts/events/index.ts';
import { createUpcast } from './client/decoding.ts';

/*
 * One file for every version of every event type ever written. A new version adds a file and a line to `hashes.json`; neither is
 * ever changed or removed, because the log still contains such events.
 */
const golden = new URL('./golden/', import.meta.url);

interface GoldenEvent {
  readonly category: string;
  readonly type: string;
  readonly version: number;
  readonly data: unknown;
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(new URL(path, golden), 'utf8'));
const hashes = readJson('hashes.json') as Readonly<Record<string, string>>;

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);

describe('golden events', () => {
  for (const [path, hash] of Object.entries(hashes)) {
    it(`include ${path}, unchanged, and valid after upcasting`, () => {
      const event = readJson(path) as GoldenEvent;
      const { category, type, version, data } = event;
      expect(createHash('sha256').update(JSON.stringify(event)).digest('hex')).to.equal(hash);
      expect(path).to.equal(`${category}/${type}.v${version}.json`);

      const schema = categories[category]?.types[type];
      expect(schema, 'the type is still in the contract').to.not.equal(undefined);
      const validate = ajv.compile(schema ?? {});
      validate(createUpcast()(category, type, version, data));
      expect(validate.errors).to.equal(null);
    });
  }

  it('exist for each version of each type', () => {
    const wanted = Object.values(categories).flatMap(({ name, types, versions }) =>
      Object.keys(types).flatMap((type) =>
        Array.from({ length: versions[type] ?? 1 }, (_, index) => `${name}/${type}.v${index + 1}.json`),
      ),
    );
    expect(Object.keys(hashes)).to.have.members(wanted);
  });

  it('are all listed in hashes.json', () => {
    const files = readdirSync(golden, { recursive: true, encoding: 'utf8' });
    const written = files.filter((path) => path.endsWith('.json') && path !== 'hashes.json');
    expect(Object.keys(hashes)).to.have.members(written);
  });
});
