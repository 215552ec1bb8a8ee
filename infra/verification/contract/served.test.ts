import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { addressOf } from '../../../contracts/deprecations.ts';
import { routes } from '../../../contracts/routes/index.ts';
import { contractFields } from './contract-fields.ts';
import { contractRoutes } from './contract-routes.ts';

const text = readFileSync(new URL('../../../docs/additions.md', import.meta.url), 'utf8');
const bare = (address: string) => address.replace(/\{[^}]*\}/g, '{}');
const served = routes.map((route) => bare(addressOf(route)));
const named = Object.values(contractRoutes).flat();
/** First cells of a section's table. */
const listed = (section: string): readonly string[] => {
  const [, part = ''] = text.split(new RegExp(`^## ${section}$`, 'm'));
  return [...(part.split(/^## /m)[0] ?? '').matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = '']) => cell);
};

describe('what is served', () => {
  for (const [area, addresses] of Object.entries(contractRoutes))
    it(`has every route of the contract: ${area}`, () => {
      expect(addresses.filter((address) => !served.includes(address))).to.deep.equal([]);
    });

  it('has only routes of the contract, or listed additions', () => {
    const additions = served.filter((address) => !named.includes(address));
    expect(listed('Routes').map(bare).sort()).to.deep.equal(additions.sort());
  });

  it('has only fields of the contract, or listed additions', () => {
    const additions = contractFields.flatMap(({ name, schema, fields }) =>
      Object.keys(schema.properties)
        .filter((field) => !fields.includes(field))
        .map((field) => `${name}.${field}`),
    );
    expect([...listed('Fields')].sort()).to.deep.equal(additions.sort());
  });

  it('has every field that the contract names', () => {
    const missing = contractFields.flatMap(({ name, schema, fields }) =>
      fields.filter((field) => !(field in schema.properties)).map((field) => `${name}.${field}`),
    );
    expect(missing).to.deep.equal([]);
  });
});
