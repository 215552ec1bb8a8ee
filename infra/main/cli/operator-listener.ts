import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { operationOf } from '../../../contracts/client/operation.ts';
import { operatorRows, type OperatorRow } from '../../../contracts/operator.ts';
import { refuse, Refusal } from '../../../contracts/problems.ts';
import type { Console } from '../../gateway/console.ts';
import { requestIdFrom, writeProblem } from '../../http/index.ts';
import { messageOf } from '../../platform/error-message.ts';
import { bearerToken, sameSecret } from '../../platform/presented-secrets.ts';
import { staffContext, type Operator } from './operator.ts';
import { operatorRoutes, type Asked, type OperatorRoute } from './operator-routes.ts';
import { toJson } from './output.ts';

interface ListenerOptions {
  readonly operator: Operator;
  /** Required in every request except for the pages' files. */
  readonly token: string;
  readonly console: Console;
}

interface Placed {
  readonly method: string;
  readonly pattern: RegExp;
  readonly serve: OperatorRoute;
}

/** Serves the operator's pages and their requests. Every actor is staff. */
export function createOperatorListener({ operator, token, console }: ListenerOptions): RequestListener {
  const places = placesOf(operatorRoutes());
  const { ERRORS_BASE: errorsBase } = operator.config;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const presented = bearerToken(request.headers.authorization);
    if (presented === undefined || !sameSecret(presented, token))
      throw refuse('unauthorized', 'Open the link that `service operator-console` printed.');
    const { serve, asked } = placeOf(places, request);
    const context = staffContext('operator console');
    const body = toJson(await serve({ ...operator, context }, asked));
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body);
  };
  return (request, response) => {
    if (console.handle(request, response)) return;
    const requestId = requestIdFrom(undefined);
    answer(request, response).catch((error: unknown) => {
      writeProblem(response, refusalOf(error), { errorsBase, requestId });
    });
  };
}

/** The operator may see internal errors. */
const refusalOf = (error: unknown): Refusal =>
  error instanceof Refusal ? error : refuse('internal', messageOf(error));

const placesOf = (routes: Readonly<Record<OperatorRow, OperatorRoute>>): readonly Placed[] =>
  (Object.keys(operatorRows) as OperatorRow[]).map((name) => {
    const { method, path } = operationOf(name, operatorRows[name]);
    return { method, pattern: new RegExp(`^${path.replace(/\{\w+\}/, '([^/]+)')}$`), serve: routes[name] };
  });

function placeOf(
  places: readonly Placed[],
  { method, url = '' }: IncomingMessage,
): { readonly serve: OperatorRoute; readonly asked: Asked } {
  const [path = '', query] = url.split('?', 2);
  const here = places.filter(({ pattern }) => pattern.test(path));
  const place = here.find((each) => each.method === method);
  if (place === undefined) throw refuse(here.length === 0 ? 'not-found' : 'method-not-allowed');
  const id = decoded(place.pattern.exec(path)?.[1] ?? '');
  return { serve: place.serve, asked: { id, query: new URLSearchParams(query) } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse('not-found');
  }
}
