import { middleware } from 'express-openapi-validator';
import type { OpenApiValidatorOpts } from 'express-openapi-validator/dist/framework/types.js';
import type { Request, RequestHandler, Response } from 'express';
import { jsonSchema } from '../../contracts/openapi/json-schema.ts';
import { requestParameters } from '../../contracts/openapi/parameters.ts';
import { routes, type Route } from '../../contracts/routes/index.ts';
import { memoized } from '../platform/cache.ts';
import { explainer, type Input } from './explanation.ts';
import { invalid, type FieldError } from './problem.ts';

export type Validate = (input: Input) => Promise<Pick<Input, 'query' | 'body'>>;

/**
 * Validates requests of one route by express-openapi-validator, fills in defaults, and throws with every invalid field. The cost
 * does not depend on the number of routes or on clients, despite the library's behaviour:
 * - it compiles the schema of OpenAPI itself, 50 ms of CPU, per instance: routes share instances, in all servers of a process;
 * - it compiles the pattern of every path of its document on each request until one matches: the operation is looked up once per
 *   route;
 * - it caches a validator for each spelling of `Content-Type`: it gets a JSON request, reduced to the validated parts;
 * - it stops at the first failure: `explainer` finds the full list.
 */
export function requestValidator(route: Route): Validate {
  if (!route.body && !route.query && !route.idempotencyKey)
    return async () => ({ query: {}, body: undefined });
  const check = checkOf(route);
  const explain = explainer(route);
  const declared = Object.keys(route.query ?? {});
  return async ({ query, headers, body }) => {
    const request = standInRequest(
      route,
      { 'content-type': 'application/json', 'idempotency-key': headers['idempotency-key'] },
      Object.fromEntries(
        declared.filter((name) => query[name] !== undefined).map((name) => [name, query[name]]),
      ),
      body,
    );
    const failure = await check(request);
    if (failure === undefined) {
      assertDigits(query, request);
      return request;
    }
    const errors = explain(request);
    throw invalid(...(errors.length > 0 ? errors : errorsOf(failure)));
  };
}

/** Refuses numbers in a query that are not digits: the library takes `1e1`, `0x10` and, without checking limits, `1e999`. */
function assertDigits(given: Input['query'], { query }: StandIn): void {
  const strange = Object.entries(query).filter(
    ([name, value]) =>
      typeof value === 'number' &&
      given[name] !== undefined &&
      !(isDigits(given[name]) && Number.isFinite(value)),
  );
  if (strange.length === 0) return;
  throw invalid(
    ...strange.map(([name]) => ({
      ...{ path: `/query/${name}`, code: 'type' },
      message: 'must be a whole number in digits',
    })),
  );
}

const isDigits = (text: unknown): boolean => typeof text === 'string' && /^\d+$/.test(text);

/** Validates a stand-in request by the library; fills in the defaults of a valid one. */
type Check = (request: StandIn) => Promise<LibraryError | undefined>;

function checkOf(route: Route): Check {
  let prepared: Promise<Prepared> | undefined;
  return async (request) => {
    const { operation, validation } = await (prepared ??= requestChecks(route));
    request.openapi = operation;
    try {
      await runSteps(validation, request);
      return undefined;
    } catch (error) {
      if (isLibraryError(error)) return error;
      throw error;
    }
  };
}

/** The library's metadata of a route's operation, and its validating middleware. */
export interface Prepared {
  readonly operation: unknown;
  readonly validation: readonly RequestHandler[];
}

/**
 * Prepares the library for a route. The routes of a noun on one side share an instance, created on first use: an instance costs
 * 50 ms, and a validator in it more, the more routes it has.
 */
export function prepareByNoun(
  make: (operations: readonly Route[]) => readonly RequestHandler[],
): (route: Route) => Promise<Prepared> {
  const stepsOf = memoized((noun) => make(routes.filter((route) => nounOf(route) === noun)));
  return async (route) => {
    const steps = stepsOf(nounOf(route));
    const request = standInRequest(route);
    await runSteps(steps.slice(0, -1), request);
    return { operation: request.openapi, validation: steps.slice(-1) };
  };
}

const nounOf = ({ side, path }: Route): string => `${side} ${path.split('/')[2]}`;

const requestChecks = prepareByNoun((ofNoun) =>
  middleware({
    apiSpec: documentOf(ofNoun.map((route) => [route, operation(route)])),
    validateApiSpec: false,
    validateSecurity: false,
    validateRequests: { allowUnknownQueryParameters: true, discriminator: true },
    ajvFormats: { mode: 'full' },
    fileUploader: false,
  }),
);

const pathOf = ({ id }: Route): `/${string}` => `/${id}`;

/** A minimal document of some routes' operations: each has its own path, without parameters. */
export const documentOf = (
  operations: readonly (readonly [Route, object])[],
): OpenApiValidatorOpts['apiSpec'] =>
  JSON.parse(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Routes', version: '1' },
      paths: Object.fromEntries(operations.map(([route, post]) => [pathOf(route), { post }])),
    }),
  ) as OpenApiValidatorOpts['apiSpec'];

/** Other parameters are any string in the schema, and are validated where they are used. */
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

/** Everything that the library reads of a request. */
interface StandIn {
  readonly method: 'POST';
  readonly path: string;
  readonly url: string;
  readonly originalUrl: string;
  readonly baseUrl: '';
  readonly app: typeof app;
  params: object;
  readonly headers: Input['headers'];
  readonly query: Input['query'];
  readonly body: unknown;
  /** The library's operation of the request. */
  openapi: unknown;
}

const app = { enabled: () => false, param: () => undefined };

/** The validated parts of a request. Members are listed, because a spread costs more than the validation. */
export const standInRequest = (
  route: Route,
  headers: Input['headers'] = {},
  query: Input['query'] = {},
  body?: unknown,
): StandIn => ({
  method: 'POST',
  path: pathOf(route),
  url: pathOf(route),
  originalUrl: pathOf(route),
  baseUrl: '',
  app,
  params: {},
  headers,
  query,
  body,
  openapi: undefined,
});

/** Runs the library's steps with stand-ins of an express request and response that have all members in use. */
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

/** The library's messages, for refusals that are not in the schema. */
const errorsOf = ({ errors }: LibraryError): FieldError[] =>
  errors.map(({ path, message, errorCode = '' }) => ({
    path,
    code: errorCode.replace('.openapi.validation', ''),
    message,
  }));
