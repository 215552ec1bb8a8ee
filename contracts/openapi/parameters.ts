import type { Route } from '../routes/index.ts';
import { Type, type TSchema } from '../schema.ts';
import { textForms } from '../text-forms.ts';
import type { JsonObject } from './json-schema.ts';

type ToJson = (schema: TSchema) => JsonObject;

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A request sent again with the same key and body gets the first answer again, marked `Idempotency-Replayed: true`. ' +
    'Another body under the same key is refused. Kept for a day.',
  schema: { type: 'string', pattern: textForms.visibleCharacters.pattern, minLength: 1, maxLength: 255 },
};

const actingAccount = {
  name: 'X-Service-Account',
  in: 'header',
  description: 'Act on the account of a team owner, `acc_<uuid>`. Default: the account of the credential.',
  schema: { type: 'string' },
};

const minimumPosition = {
  name: 'X-Service-Min-Position',
  in: 'header',
  description:
    'Answer only from data that includes this place in the log: the `X-Service-Position` of a write.',
  schema: { type: 'string' },
};

const described = (schema: JsonObject) =>
  typeof schema.description === 'string' ? { description: schema.description } : {};

/** The path and query parameters and the headers a route takes. */
export function requestParameters(route: Route, toJson: ToJson) {
  const path = Object.entries(route.params ?? {}).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    ...described(toJson(schema)),
    schema: toJson(schema),
  }));
  const query = Object.entries(route.query ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(!Type.IsOptional(schema) && { required: true }),
    ...described(toJson(schema)),
    schema: toJson(schema),
  }));
  return [
    ...path,
    ...query,
    ...Object.entries(route.headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      description,
      schema: { type: 'string' },
    })),
    ...(route.idempotencyKey ? [idempotencyKey] : []),
    ...(route.accountHeader === 'honored' ? [actingAccount] : []),
    ...(route.side === 'read' && route.scopes !== null ? [minimumPosition] : []),
  ];
}
