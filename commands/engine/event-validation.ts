import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';

/** An event that is not what its contract says: a bug of the rule that made it. Nothing of its command was stored. */
export class InvalidEvent extends Error {
  constructor(category: Category, type: string, reason: string) {
    super(`${category.name} made an event ${type} that its contract does not allow: ${reason}`);
    this.name = 'InvalidEvent';
  }
}

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);

const compiled = new WeakMap<object, ValidateFunction>();

/** Throws `InvalidEvent` unless the category has the type and the data matches its schema. */
export function validateEvent(category: Category, { type, data }: DomainEvent): void {
  const schema = Object.hasOwn(category.types, type) ? category.types[type] : undefined;
  if (schema === undefined) throw new InvalidEvent(category, type, 'the category has no such type');
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(schema);
    compiled.set(schema, validate);
  }
  if (!validate(data)) throw new InvalidEvent(category, type, ajv.errorsText(validate.errors));
}
