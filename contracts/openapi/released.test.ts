import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { addressOf, deprecations } from '../deprecations.ts';
import { routes } from '../routes/index.ts';
import { compareDocuments, contractIn, isBreaking } from './testing/compare.ts';
import { openApiDocument } from './document.ts';
import type { JsonObject } from './json-schema.ts';
import { unexcused } from './testing/unexcused.ts';

/*
 * The contract of the last release. For a new release, update it by `UPDATE_RELEASED=1 npx mocha
 * contracts/openapi/released.test.ts`.
 */
const file = new URL('./released.json', import.meta.url);
const present = contractIn(openApiDocument({ errorsBase: 'https://errors.example' }));

describe('the contract as it is served now', () => {
  before(() => {
    if (process.env.UPDATE_RELEASED) writeFileSync(file, `${JSON.stringify(present, null, 1)}\n`);
  });

  it('breaks nothing of the last release, except what was announced and is past its sunset', () => {
    const released = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
    const today = new Date().toISOString().slice(0, 10);
    const differences = compareDocuments(released, present);
    const broken = unexcused(differences, deprecations, today).map(
      ({ kind, where, what }) => `${kind}: ${where}: ${what}`,
    );
    expect(broken, 'Breaking changes: announce them in contracts/deprecations.ts first').to.deep.equal([]);
  });

  it('would be reported as broken without its routes', () => {
    const differences = compareDocuments(present, { ...present, paths: {} });
    expect(differences.filter(isBreaking).map(({ where }) => where)).to.have.members(routes.map(addressOf));
  });
});
