import { Ajv } from 'ajv';
import { expect } from 'chai';
import { recordContracts, type RecordContract } from '../records.ts';
import type { TSchema } from '../schema.ts';
import type { Category } from './catalogue.ts';
import { fieldAt } from './fields.ts';
import { categories, type Repeated } from './index.ts';

const ajv = new Ajv({ strict: false });

describe('the events of the service', () => {
  it('have types that belong to one category each, so that a type alone finds its handler', () => {
    const types = Object.values(categories).flatMap((each) => Object.keys(each.types));
    expect(types.length).to.be.greaterThan(0);
    expect(types.filter((type, index) => types.indexOf(type) !== index)).to.deep.equal([]);
  });

  it('have the fields that they declare as personal, with replacements that match their schemas', () => {
    for (const { name, types, personal } of Object.values(categories))
      for (const [type, fields] of Object.entries(personal))
        for (const [path, erased] of Object.entries(fields ?? {})) {
          const schema = fieldAt(types[type], `properties.${path.replaceAll('.', '.properties.')}`);
          expect(schema, `${name} ${type} ${path}`).to.be.an('object');
          expect(ajv.validate(schema as object, erased), `${name} ${type} ${path}`).to.equal(true);
        }
  });

  it('of records have a retired change type exactly if no route changes the record', () => {
    for (const { name, events, routes } of recordContracts as readonly RecordContract[]) {
      const changing = Object.keys(events.types).filter((type) => type.endsWith('Changed'));
      const isRetired = !routes.some(({ id }) => id === `${name}.update`);
      expect(events.retired, name).to.deep.equal(isRetired ? changing : []);
    }
  });

  it('do not compile when two categories share a type', () => {
    type Account = Category<'account', { Renamed: TSchema; Closed: TSchema }>;
    type Team = Category<'team', { Renamed: TSchema }>;
    const repeated: Repeated<readonly [Account, Team]> = 'Renamed';
    // @ts-expect-error: the type occurs in one category only.
    const single: Repeated<readonly [Account, Team]> = 'Closed';
    expect([repeated, single]).to.deep.equal(['Renamed', 'Closed']);
  });
});
