import { middleware } from 'express-openapi-validator';
import type { OpenApiValidatorOpts } from 'express-openapi-validator/dist/framework/types.js';
import type { Request, RequestHandler, Response } from 'express';
import { jsonSchema } from '../../contracts/openapi/json-schema.ts';
import { requestParameters } from '../../contracts/openapi/parameters.ts';
import type { Route } from '../../contracts/routes.ts';
import { invalid, type FieldError } from './problem.ts';

export interface Input {
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}
export type Validate = (input: Input) => Promise<Pick<Input, 'query' | 'body'>>;

/**
 * Checks requests of one route by express-openapi-validator, and fills in defaults.
 *
 * That library compiles the pattern of every path of its document on each request until one matches, and keeps a
 * compiled validator for each spelling of `Content-Type` it has seen. So each route gets an instance of its own whose
 * document has the single path `/`, and sees a request reduced to what is to be checked, always as JSON: the cost is
 * the same for any number of routes, and nothing a client sends can make it grow.
 */
export function requestValidator(route: Route): Validate {
  if (!route.body && !route.query && !route.idempotencyKey)
    return async () => ({ query: {}, body: undefined });
  const steps = middleware({
    apiSpec: onePathDocument(operation(route)),
    validateApiSpec: false,
    validateSecurity: false,
    validateRequests: { allowUnknownQueryParameters: true, discriminator: true },
    ajvFormats: { mode: 'full' },
    fileUploader: false,
  });
  const declared = Object.keys(route.query ?? {});
  return async ({ query, headers, body }) => {
    const reduced = {
      ...standIn,
      headers: { 'content-type': 'application/json', 'idempotency-key': headers['idempotency-key'] },
      query: Object.fromEntries(
        declared.filter((name) => query[name] !== undefined).map((name) => [name, query[name]]),
      ),
      body,
    };
    await runSteps(steps, reduced);
    return reduced;
  };
}

/** The smallest document of one operation. */
export const onePathDocument = (post: object, components: unknown = {}): OpenApiValidatorOpts['apiSpec'] =>
  JSON.parse(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'One route', version: '1' },
      paths: { '/': { post } },
      components,
    }),
  ) as OpenApiValidatorOpts['apiSpec'];

/** The other parameters are any string to a schema; they are checked where they mean something. */
const isChecked = ({ in: place, name }: { in: string; name: string }) =>
  place === 'query' || name === 'Idempotency-Key';

const operation = (route: Route) => ({
  parameters: requestParameters(route, jsonSchema).filter(isChecked),
  ...(route.body === undefined
    ? {}
    : {
        requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(route.body) } } },
      }),
  responses: { default: { description: '' } },
});

/** What the library reads of a request beside its content. */
export const standIn = {
  method: 'POST',
  path: '/',
  url: '/',
  originalUrl: '/',
  baseUrl: '',
  params: {},
  app: { enabled: () => false, param: () => undefined },
};

/** Runs the library's steps over stand-ins of an express request and response; they touch only the members these have. */
export function runSteps(
  steps: readonly RequestHandler[],
  request: object,
  response: object = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const step = (index: number, error?: unknown): void => {
      const next = steps[index];
      if (error !== undefined) reject(toRefusal(error));
      else if (next === undefined) resolve();
      else next(request as Request, response as Response, (failure?: unknown) => step(index + 1, failure));
    };
    step(0);
  });
}

interface LibraryError {
  readonly errors: readonly {
    readonly path: string;
    readonly message: string;
    readonly errorCode?: string;
  }[];
}
const isLibraryError = (error: unknown): error is LibraryError =>
  error instanceof Error && 'status' in error && error.status === 400 && 'errors' in error;

function toRefusal(error: unknown): Error {
  if (!isLibraryError(error))
    return error instanceof Error ? error : new Error('Validation failed.', { cause: error });
  return invalid(
    ...error.errors.map(({ path, message, errorCode = '' }): FieldError => ({
      path,
      code: errorCode.replace('.openapi.validation', '').replace('x-eov-type', 'type'),
      message,
    })),
  );
}
