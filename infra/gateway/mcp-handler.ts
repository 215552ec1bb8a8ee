import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { Service, type Fetch } from '../../contracts/client/index.ts';
import type { OnCalled } from '../mcp/called.ts';
import { createServer } from '../mcp/server.ts';
import { noSecrets } from '../mcp/secrets.ts';

export interface McpRequestsOptions {
  /** Where people find the console. */
  readonly consoleUrl: string;
  /** Sends the calls of the tools to the service, for a client at an address. */
  readonly fetchFor: (address: string) => Fetch;
  readonly logger: Logger;
  readonly onCalled?: OnCalled | undefined;
}

interface Asking {
  readonly token: string;
  readonly address: string;
}

export interface McpHandler {
  answer(request: IncomingMessage, response: ServerResponse, asking: Asking): Promise<void>;
  close(): Promise<void>;
}

/** Bytes of a request. */
const longestRequest = 4 * 1024 * 1024;
/** Streams of changes, of which there are none to tell: no tool ever changes. */
const mostSubscriptions = 100;

/** A server for each request, in the protocol of 2026 and in that of 2025; what it does, it does as the credential of the request. */
export function createMcpRequests({
  consoleUrl,
  fetchFor,
  logger,
  onCalled,
}: McpRequestsOptions): McpHandler {
  const onerror = (error: Error): void => logger.debug({ err: error }, 'A request for tools was refused.');
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      const owner = requestInfo?.headers.get('x-service-account') ?? undefined;
      const service = new Service({
        baseUrl: 'http://gateway.invalid',
        apiKey: authInfo?.token ?? '',
        fetch: fetchFor(String(authInfo?.extra?.address)),
        ...(owner !== undefined && { onAccountOf: owner }),
      });
      return createServer({ service, consoleUrl, opened: undefined, secrets: noSecrets, onCalled });
    },
    { legacy: 'stateless', maxRequestBodySize: longestRequest, maxSubscriptions: mostSubscriptions, onerror },
  );
  const answer = toNodeHandler(handler, { maxRequestBodySize: longestRequest, onerror });
  return {
    answer: (request, response, { token, address }) =>
      // The library's types call absent what Node's call undefined.
      answer(
        Object.assign(request, { auth: authOf(token, address) }) as Parameters<typeof answer>[0],
        response,
      ),
    close: () => handler.close(),
  };
}

/** The service judges the credential with each call; that it is good for a minute is for the library alone, which wants an end. */
const authOf = (token: string, address: string): AuthInfo => ({
  ...{ token, clientId: 'bearer', scopes: [], extra: { address } },
  expiresAt: Math.floor(Date.now() / 1000) + 60,
});
