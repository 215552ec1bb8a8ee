import { middleware } from 'express-openapi-validator';
import type { OpenApiValidatorOpts } from 'express-openapi-validator/dist/framework/types.js';
import type { Request, RequestHandler, Response } from 'express';
import { jsonSchema } from '../../contracts/openapi/json-schema.ts';
import { requestParameters } from '../../contracts/openapi/parameters.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { explainer } from './explanation.ts';
import { invalid, type FieldError } from './problem.ts';

export interface Input {
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}
export type Validate = (input: Input) => Promise<Pick<Input, 'query' | 'body'>>;

/**
 * Checks requests of one route by express-openapi-validator, fills in defaults, and refuses with every field that fails.
 *
 * That library compiles the pattern of every path of its document on each request until one matches, and keeps a
 * compiled validator for each spelling of `Content-Type` it has seen. So each route gets an instance of its own whose
 * document has the single path `/`, and sees a request reduced to what is to be checked, always as JSON: the cost is
 * the same for any number of routes, and nothing a client sends can make it grow. It ends at the first failure; what the
 * client is told is then found by `explainer`.
 */
export function requestValidator(route: Route): Validate {
  if (!route.body && !route.query && !route.idempotencyKey)
    return async () => ({ query: {}, body: undefined });
  const check = checkOf(route);
  const explain = explainer(route);
  const declared = Object.keys(route.query ?? {});
  return async ({ query, headers, body }) => {
    const request = standIn(
      { 'content-type': 'application/json', 'idempotency-key': headers['idempotency-key'] },
      Object.fromEntries(
        declared.filter((name) => query[name] !== undefined).map((name) => [name, query[name]]),
      ),
      body,
    );
    const failure = await check(request);
    if (failure === undefined) return request;
    const errors = explain(request);
    throw invalid(...(errors.length > 0 ? errors : errorsOf(failure)));
  };
}

/** The library's verdict on a stand-in request; fills in the defaults of a valid one. */
type Check = (request: StandIn) => Promise<LibraryError | undefined>;

function checkOf(route: Route): Check {
  const steps = middleware({
    apiSpec: onePathDocument(operation(route)),
    validateApiSpec: false,
    validateSecurity: false,
    validateRequests: { allowUnknownQueryParameters: true, discriminator: true },
    ajvFormats: { mode: 'full' },
    fileUploader: false,
  });
  // All steps but the last look up the operation, and there is only one: what they find is kept.
  const validation = steps.slice(-1);
  let lookUp: Promise<unknown> | undefined;
  return async (request) => {
    lookUp ??= lookUpBy(steps.slice(0, -1));
    request.openapi = await lookUp;
    try {
      await runSteps(validation, request);
      return undefined;
    } catch (error) {
      if (isLibraryError(error)) return error;
      throw error;
    }
  };
}

async function lookUpBy(steps: readonly RequestHandler[]): Promise<unknown> {
  const request = standIn();
  await runSteps(steps, request);
  return request.openapi;
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

/** All that the library reads of a request. */
interface StandIn {
  readonly method: 'POST';
  readonly path: '/';
  readonly url: '/';
  readonly originalUrl: '/';
  readonly baseUrl: '';
  readonly app: typeof app;
  params: object;
  readonly headers: Input['headers'];
  readonly query: Input['query'];
  readonly body: unknown;
  /** Where the library keeps which operation a request is for. */
  openapi: unknown;
}

const app = { enabled: () => false, param: () => undefined };

/** A request of what is to be checked. Every member is written out: a spread costs more than the check itself. */
export const standIn = (
  headers: Input['headers'] = {},
  query: Input['query'] = {},
  body?: unknown,
): StandIn => ({
  method: 'POST',
  path: '/',
  url: '/',
  originalUrl: '/',
  baseUrl: '',
  app,
  params: {},
  headers,
  query,
  body,
  openapi: undefined,
});

/** Runs the library's steps over stand-ins of an express request and response; they touch only the members these have. */
export async function runSteps(
  steps: readonly RequestHandler[],
  request: object,
  response: object = {},
): Promise<void> {
  for (const step of steps) {
    await new Promise<void>((resolve, reject) => {
      void step(request as Request, response as Response, (failure?: unknown) => {
        if (failure === undefined) resolve();
        else reject(failure instanceof Error ? failure : new Error('Validation failed.', { cause: failure }));
      });
    });
  }
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

/** The library's own words, for what it refuses and the schema does not. */
const errorsOf = ({ errors }: LibraryError): FieldError[] =>
  errors.map(({ path, message, errorCode = '' }) => ({
    path,
    code: errorCode.replace('.openapi.validation', ''),
    message,
  }));
