import { Readable } from 'node:stream';
import { middleware } from 'express-openapi-validator';
import { openApiDocument } from '../../contracts/openapi/document.ts';
import { operation } from '../../contracts/openapi/operation.ts';
import { problemMembers, problemSlugs } from '../../contracts/openapi/problem-schemas.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Route } from '../../contracts/routes/index.ts';
import { memoized } from '../platform/cache.ts';
import { documentOf, prepareByNoun, runSteps, standInRequest, type Prepared } from './validator.ts';

/** Throws `internal` if an answer does not match the route's schema. */
export type CheckReply = (route: Route, status: number, contentType: string, body: unknown) => Promise<void>;

export const checkNothing: CheckReply = async () => undefined;

/**
 * Validates every JSON answer against the OpenAPI document, by the same library that validates requests. Of a problem, whose
 * schema is open, all members must be documented.
 */
export const replyCheck = memoized((errorsBase: string): CheckReply => {
  const { components } = openApiDocument({ errorsBase });
  const failures: Error[] = [];
  const prepare = prepareByNoun((ofNoun) =>
    middleware({
      apiSpec: documentOf(ofNoun.map((route) => [route, inlined(operation(route, []), components)])),
      validateApiSpec: false,
      validateRequests: false,
      validateSecurity: false,
      validateResponses: { onError: (error) => failures.push(error) },
      fileUploader: false,
    }),
  );
  const prepared = new Map<string, Promise<Prepared>>();
  return async (route, status, contentType, body) => {
    if (typeof body === 'string' || body instanceof Readable) return;
    if (contentType.startsWith('application/problem+json')) checkMembers(route, body);
    const found = prepared.get(route.id) ?? prepare(route);
    prepared.set(route.id, found);
    const { operation: openapi, validation } = await found;
    const response = {
      statusCode: status,
      headersSent: false,
      getHeaders: () => ({ 'content-type': contentType }),
      json: (_body: unknown): void => undefined,
    };
    await runSteps(validation, { ...standInRequest(route), openapi }, response);
    // The library has replaced `json` by its check, which is done when this returns.
    response.json(body === null ? undefined : JSON.parse(JSON.stringify(body)));
    const failure = failures.pop();
    if (failure)
      throw refuse('internal', `The ${status} answer of ${route.id} breaks its schema: ${failure.message}`);
  };
});

const ofEveryProblem = ['type', 'title', 'status', 'detail', 'instance'];

function checkMembers(route: Route, body: unknown): void {
  const { type, ...members } = body as Readonly<Record<string, unknown>>;
  const slug = problemSlugs.find((one) => String(type).endsWith(`/${one}`));
  if (slug === undefined) return;
  const known = [...ofEveryProblem, ...problemMembers(slug)];
  const unknown = Object.keys(members).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw refuse('internal', `A ${slug} of ${route.id} has undocumented members: ${unknown.join(', ')}.`);
}

/** With references inlined: otherwise the library processes all components for each answer. */
function inlined<Node>(node: Node, components: unknown): Node {
  return JSON.parse(JSON.stringify(node), (_key, value: { readonly $ref?: string } | null) => {
    const [, , kind, name] = value?.$ref?.split('/') ?? [];
    if (kind === undefined || name === undefined) return value;
    return inlined((components as Components)[kind]?.[name], components);
  }) as Node;
}

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
