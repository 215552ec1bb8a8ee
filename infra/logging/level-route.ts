import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse, Refusal } from '../../contracts/problems.ts';
import { pathIn, requestIdFrom, writeProblem } from '../http/index.ts';
import { bearerToken, sameSecret } from '../platform/presented-secrets.ts';
import type { Logger } from './index.ts';
import { isLogLevel, logLevels, type LogLevel } from './levels.ts';

export interface LevelRouteOptions {
  readonly logger: Pick<Logger, 'level' | 'warn'>;
  /** The operator's token; undefined: no access. */
  readonly token: string | undefined;
  /** Problem types are `<errorsBase>/<slug>`. */
  readonly errorsBase: string;
}

/** Answers `/log-level`; returns false for any other path. */
export type LevelRoute = (request: IncomingMessage, response: ServerResponse) => boolean;

const methods = 'GET, PUT';

/**
 * `GET /log-level` returns this process's log level to the operator, and `PUT` with `{"level": "debug"}` changes it until the
 * process ends.
 */
export function createLevelRoute({ logger, token, errorsBase }: LevelRouteOptions): LevelRoute {
  const answer = async (request: IncomingMessage, response: ServerResponse, requestId: string) => {
    assertOperator(request, token);
    if (request.method === 'PUT') {
      const level = await levelIn(request);
      // As a warning, which all levels but the last two include.
      logger.warn({ from: logger.level, to: level }, 'The log level was changed.');
      logger.level = level;
    } else if (request.method !== 'GET') {
      const refusal = refuse('method-not-allowed', `This path takes ${methods}.`);
      return writeProblem(response, refusal, { errorsBase, requestId }, { Allow: methods });
    }
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': requestId });
    response.end(JSON.stringify({ level: logger.level }));
  };
  return (request, response) => {
    if (pathIn(request) !== '/log-level') return false;
    const requestId = requestIdFrom(request.headers['x-request-id']);
    answer(request, response, requestId).catch((error: unknown) => {
      const refusal = error instanceof Refusal ? error : refuse('bad-request', 'The request ended early.');
      writeProblem(response, refusal, { errorsBase, requestId });
    });
    return true;
  };
}

function assertOperator({ headers }: IncomingMessage, token: string | undefined): void {
  if (token === undefined)
    throw refuse(
      'unauthorized',
      'This process has no OPERATOR_TOKEN, so its log level can be neither read nor changed.',
    );
  const presented = bearerToken(headers.authorization);
  if (presented !== undefined && sameSecret(presented, token)) return;
  throw refuse(
    'unauthorized',
    'This is for operators: send OPERATOR_TOKEN as Authorization: Bearer <token>.',
  );
}

const longestBody = 1_000;

async function levelIn(request: IncomingMessage): Promise<LogLevel> {
  let body = '';
  for await (const chunk of request) {
    body += String(chunk);
    if (body.length > longestBody) break;
  }
  const level = levelOf(body);
  if (level !== undefined) return level;
  throw refuse('bad-request', `Send {"level": …}, which is one of ${logLevels.join(', ')}.`);
}

function levelOf(body: string): LogLevel | undefined {
  try {
    const sent: unknown = JSON.parse(body);
    const level = typeof sent === 'object' && sent !== null && 'level' in sent ? sent.level : undefined;
    return isLogLevel(level) ? level : undefined;
  } catch {
    return undefined;
  }
}
