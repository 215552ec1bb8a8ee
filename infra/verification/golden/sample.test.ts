import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { categories } from '../../../contracts/events/index.ts';
import { recordContracts } from '../../../contracts/records.ts';
import { Samples } from './sample.ts';

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);

describe('a golden event that is written by the command', () => {
  const samples = new Samples();
  for (const category of Object.values(categories))
    it(`is valid for each type of ${category.name}`, () => {
      for (const [type, schema] of Object.entries(category.types)) {
        const event = samples.of(category, type);
        const validate = ajv.compile(schema);
        validate(event.data);
        expect(validate.errors, `${type} ${JSON.stringify(event.data)}`).to.equal(null);
      }
    });

  it('has one id for all events of a record, and changes each other field', () => {
    for (const { events, quota } of recordContracts) {
      const made = [events, quota].flatMap((category) =>
        Object.keys(category.types).map((type) => samples.of(category, type).data as Data),
      );
      expect(new Set(made.map(({ id }) => id)).size).to.equal(1);
      const [{ fields } = {}, { changes } = {}] = made;
      for (const [name, value] of Object.entries(changes ?? {}))
        if (!name.endsWith('Id')) expect(value, name).not.to.deep.equal(fields?.[name]);
    }
  });
});

interface Data {
  readonly id?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly changes?: Readonly<Record<string, unknown>>;
}
