import { Ajv } from 'ajv';
import { expect } from 'chai';
import { categories } from '../../contracts/events/index.ts';
import type { TSchema } from '../../contracts/schema.ts';
import { Intents } from '../model/intents.ts';
import { Manifest, StoredCookies, StoredSessions } from '../profile-states/layout.ts';

const events: [string, TSchema][] = Object.values(categories).flatMap(({ name, types }) =>
  Object.entries(types).map(([type, schema]): [string, TSchema] => [`${name} ${type}`, schema]),
);

describe('A schema that is compiled without validation', () => {
  it('is valid by the meta-schema', () => {
    const ajv = new Ajv({ strict: false });
    for (const [name, schema] of [
      ...events,
      ...Object.entries({ Intents, Manifest, StoredCookies, StoredSessions }),
    ])
      expect(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`).to.equal(true);
  });
});
