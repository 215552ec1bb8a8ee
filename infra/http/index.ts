export { roleTooLow, roleSuffices, type FindTeamCaller, type TeamCaller } from './acting.ts';
export { createApi } from './api.ts';
export type { ApiOptions, ServedRequest } from './api-options.ts';
export { credentialIn, type AttemptLimiter, type Authenticate } from './authentication.ts';
export { cookieOf, signInCookies, signOutCookies } from './cookies.ts';
export {
  acceptsEventStream,
  eventStreamHeaders,
  eventStreamType,
  frame,
  heartbeat,
  heartbeatMs,
  reconnectAfter,
  streamOpened,
} from './event-stream.ts';
export { html, type Markup } from './html.ts';
export type { BodyPace } from './body-pace.ts';
export { listen, type Listening, type ListenOptions, type OnUpgrade } from './listen.ts';
export {
  handlerWithExists,
  type Call,
  type Confirmation,
  type Handler,
  type Handlers,
  type Identity,
  type RateVerdict,
  type Reply,
  type RequestFacts,
} from './types.ts';
export { page } from './page.ts';
export { problemHeaders, refusing, unavailable, writeProblem } from './problem.ts';
export { pathIn, requestIdFrom } from './edge.ts';
export { routeFor } from './paths.ts';
