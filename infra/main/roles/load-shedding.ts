import type { IncomingMessage } from 'node:http';
import { refuse } from '../../../contracts/problems.ts';
import { pathIn, refusing } from '../../http/index.ts';
import { watchLoop } from '../../platform/loop-overload.ts';
import type { ComposedRole, RoleContext } from './role.ts';
import { answersCustomers, isPublic, type RoleName } from './table.ts';

/**
 * The role, if it answers customers, with their requests refused before its app while the event loop of the process is overloaded.
 * Requests that have begun go on. Those of nodes and other processes are never refused: a node whose heartbeats are refused would be lost.
 */
export function shedLoad(
  name: RoleName,
  { config, logger, metrics, lifetime }: RoleContext,
  role: ComposedRole,
  watch: typeof watchLoop = watchLoop,
): ComposedRole {
  if (!answersCustomers(name)) return role;
  const count = metrics.counter(
    'service_shed_requests_total',
    'Requests that were answered 503 because the event loop of the process was overloaded',
  );
  const loop = watch((isOverloaded) => {
    if (isOverloaded) logger.warn('The event loop is overloaded: requests of customers are refused.');
    else logger.info('The event loop is no longer overloaded.');
  });
  lifetime.defer('watch of the event loop', loop.close);
  // The gateway says for whom it asks. Other processes ask for themselves, as the probes of the public status do.
  const ofCustomers = (request: IncomingMessage) =>
    isPublic(name) || (request.headers['x-forwarded-for'] !== undefined && !isInternal(request));
  return withShedding(role, {
    errorsBase: config.ERRORS_BASE,
    isShed: (request) => loop.isOverloaded() && ofCustomers(request),
    onShed: (request) => {
      count({});
      role.onShed?.(request);
    },
  });
}

const isInternal = (request: IncomingMessage): boolean => pathIn(request).startsWith('/internal/');

interface Shedding {
  readonly errorsBase: string;
  readonly isShed: (request: IncomingMessage) => boolean;
  readonly onShed: (request: IncomingMessage) => void;
}

function withShedding(role: ComposedRole, { errorsBase, isShed, onShed }: Shedding): ComposedRole {
  const { app, upgrade } = role;
  const refused = refusing(errorsBase, overloaded);
  return {
    ...role,
    ...(app && {
      app: (request, response) => {
        if (!isShed(request)) return app(request, response);
        onShed(request);
        // Node reads what is left of the body, so the connection stays usable for clients that send all of it.
        refused(request, response);
      },
    }),
    // One that is not taken over becomes a request to the app.
    ...(upgrade && {
      upgrade: (request, socket, head) => !isShed(request) && upgrade(request, socket, head),
    }),
  };
}

/** In seconds: those that were admitted are answered first. */
const retryAfterSeconds = 5;

const overloaded = () =>
  refuse(
    'feature-unavailable',
    'The service is overloaded, and did nothing. The request may be sent again.',
    {
      retry_after_seconds: retryAfterSeconds,
    },
  );
