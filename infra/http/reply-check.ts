import { Readable } from 'node:stream';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { openApiDocument } from '../../contracts/openapi/document.ts';
import type { JsonObject } from '../../contracts/openapi/json-schema.ts';
import { operation } from '../../contracts/openapi/operation.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { memoized } from '../platform/cache.ts';

/** Throws `internal` if an answer does not match the route's schema. */
export type CheckReply = (route: Route, status: number, contentType: string, body: unknown) => Promise<void>;

export const checkNothing: CheckReply = async () => undefined;

const documentId = 'openapi';

/** Holds every JSON answer below 500 to the OpenAPI document. */
export const replyCheck = memoized((errorsBase: string): CheckReply => {
  const { components } = openApiDocument({ errorsBase });
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: fullFormats });
  ajv.addSchema({ $id: documentId, components });
  const checks = new Map<string, ValidateFunction>();
  const checkOf = (...answer: readonly [Route, number, string]): ValidateFunction => {
    const [{ id }, status, contentType] = answer;
    const key = `${id} ${status} ${contentType}`;
    const check = checks.get(key) ?? ajv.compile(schemaOf(...answer));
    checks.set(key, check);
    return check;
  };
  return async (route, status, contentType, body) => {
    if (status >= 500 || typeof body === 'string' || body instanceof Readable) return;
    const check = checkOf(route, status, contentType);
    if (check(body === null ? {} : { body: JSON.parse(JSON.stringify(body)) as unknown })) return;
    const failure = ajv.errorsText(check.errors, { dataVar: 'answer' });
    throw refuse('internal', `The ${status} answer of ${route.id} breaks its schema: ${failure}.`);
  };
});

type Content = Readonly<Record<string, { readonly schema: JsonObject }>>;
type Responses = Readonly<Record<number, { readonly content?: Content }>>;

/** A body of the type that the document has for the status; no body where it has no type; nothing where it has no status. */
function schemaOf(route: Route, status: number, contentType: string): JsonObject {
  const response = (operation(route, []).responses as Responses)[status];
  if (response === undefined) return { not: {} };
  const { content } = response;
  if (content === undefined) return { maxProperties: 0 };
  const schema = JSON.stringify(content[contentType]?.schema ?? { not: {} });
  const properties = { body: JSON.parse(schema.replaceAll('"#/', `"${documentId}#/`)) as JsonObject };
  return { required: ['body'], properties };
}
