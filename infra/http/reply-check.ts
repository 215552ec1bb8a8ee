import { Readable } from 'node:stream';
import { middleware } from 'express-openapi-validator';
import { openApiDocument } from '../../contracts/openapi/document.ts';
import { operation } from '../../contracts/openapi/operation.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { memoized } from '../platform/cache.ts';
import { onePathDocument, runSteps, standIn } from './validator.ts';

/** Refuses `internal` when an answer breaks what the table says the route gives. */
export type CheckReply = (route: Route, status: number, contentType: string, body: unknown) => Promise<void>;
type CheckOne = (status: number, contentType: string, body: unknown) => Promise<void>;

export const checkNothing: CheckReply = async () => undefined;

/**
 * Holds every JSON answer below 500 to the OpenAPI document, by the same library that checks requests. The checks of a
 * route are made once for all servers of a process, from what of the document the route's answers refer to.
 */
export const replyCheck = memoized((errorsBase: string): CheckReply => {
  const { components } = openApiDocument({ errorsBase });
  const checks = new Map<string, CheckOne>();
  return async (route, status, contentType, body) => {
    if (typeof body === 'string' || body instanceof Readable) return;
    const check = checks.get(route.id) ?? checkRoute(route, components);
    checks.set(route.id, check);
    await check(status, contentType, body);
  };
});

function checkRoute(route: Route, components: unknown): CheckOne {
  const answers = operation(route, []);
  return checkOf(onePathDocument(answers, referredTo(answers, components)), route.id);
}

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The components that something refers to, directly or through others: the library works through all it is given. */
function referredTo(from: unknown, components: unknown): Components {
  const all = components as Components;
  const found: Record<string, Record<string, unknown>> = {};
  const follow = (node: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(node).matchAll(
      /"#\/components\/(\w+)\/([^"]+)"/g,
    )) {
      const of = (found[kind] ??= {});
      if (name in of) continue;
      of[name] = all[kind]?.[name];
      follow(of[name]);
    }
  };
  follow(from);
  return found;
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
