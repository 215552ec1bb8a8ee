import { Readable } from 'node:stream';
import { middleware } from 'express-openapi-validator';
import { openApiDocument } from '../../contracts/openapi/document.ts';
import { operation } from '../../contracts/openapi/operation.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { onePathDocument, runSteps, standIn } from './validator.ts';

/** Refuses `internal` when an answer breaks what the table says the route gives. */
export type CheckReply = (route: Route, status: number, contentType: string, body: unknown) => Promise<void>;
type CheckOne = (status: number, contentType: string, body: unknown) => Promise<void>;

export const checkNothing: CheckReply = async () => undefined;

/** Holds every JSON answer below 500 to the OpenAPI document, by the same library that checks requests. */
export function replyCheck(errorsBase: string): CheckReply {
  const { components } = openApiDocument({ errorsBase });
  const checks = new Map<string, CheckOne>();
  return async (route, status, contentType, body) => {
    if (typeof body === 'string' || body instanceof Readable) return;
    const check = checks.get(route.id) ?? checkOf(onePathDocument(operation(route), components), route.id);
    checks.set(route.id, check);
    await check(status, contentType, body);
  };
}

function checkOf(apiSpec: ReturnType<typeof onePathDocument>, routeId: string): CheckOne {
  const failures: Error[] = [];
  const steps = middleware({
    apiSpec,
    validateApiSpec: false,
    validateRequests: false,
    validateSecurity: false,
    validateResponses: { onError: (error) => failures.push(error) },
    fileUploader: false,
  });
  return async (status, contentType, body) => {
    const response = {
      statusCode: status,
      headersSent: false,
      getHeaders: () => ({ 'content-type': contentType }),
      json: (_body: unknown): void => undefined,
    };
    await runSteps(steps, standIn(), response);
    // The library has replaced `json` by its check, which has run when this returns.
    response.json(body === null ? undefined : JSON.parse(JSON.stringify(body)));
    const failure = failures.pop();
    if (failure)
      throw refuse('internal', `The ${status} answer of ${routeId} breaks its schema: ${failure.message}`);
  };
}
