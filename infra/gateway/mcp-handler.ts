import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type AuthInfo } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { Service, type Fetch } from '../../contracts/client/index.ts';
import type { OnCalled } from '../mcp/called.ts';
import { LargeRead, type ReadPermits } from '../mcp/large-read.ts';
import { createServer } from '../mcp/server.ts';
import { noSecrets } from '../mcp/secrets.ts';

export interface McpRequestsOptions {
  /** Public URL of the console. */
  readonly consoleUrl: string;
  /** Sends the tools' requests to the service, on behalf of a client address. */
  readonly fetchFor: (address: string) => Fetch;
  readonly logger: Logger;
  readonly onCalled?: OnCalled | undefined;
}

interface Asking {
  readonly token: string;
  readonly address: string;
  /** For reads of files, captures and extracted data. */
  readonly largeReads: ReadPermits;
}

export interface McpHandler {
  answer(request: IncomingMessage, response: ServerResponse, asking: Asking): Promise<void>;
  close(): Promise<void>;
}

/** Maximum bytes of a request. */
const longestRequest = 4 * 1024 * 1024;

/** One server per request, for the protocol versions of 2026 and 2025, with the request's credential. */
export function createMcpRequests({
  consoleUrl,
  fetchFor,
  logger,
  onCalled,
}: McpRequestsOptions): McpHandler {
  const onerror = (error: Error): void => logger.debug({ err: error }, 'A request for tools was refused.');
  const handler = createMcpHandler(
    ({ authInfo, requestInfo }) => {
      const { address, largeRead } = authInfo?.extra ?? {};
      const owner = requestInfo?.headers.get('x-service-account') ?? undefined;
      const service = new Service({
        baseUrl: 'http://gateway.invalid',
        apiKey: authInfo?.token ?? '',
        fetch: fetchFor(String(address)),
        ...(owner !== undefined && { onAccountOf: owner }),
      });
      return createServer({
        ...{ service, consoleUrl, opened: undefined, secrets: noSecrets, onCalled },
        largeRead: largeRead instanceof LargeRead ? largeRead : undefined,
      });
    },
    { legacy: 'stateless', maxRequestBodySize: longestRequest, onerror },
  );
  const answer = toNodeHandler(handler, { maxRequestBodySize: longestRequest, onerror });
  return {
    answer: async (request, response, { token, address, largeReads }) => {
      const largeRead = new LargeRead(largeReads);
      const auth = authOf(token, { address, largeRead });
      try {
        // The library's types use absent properties where Node's use undefined.
        await answer(Object.assign(request, { auth }) as Parameters<typeof answer>[0], response);
      } finally {
        largeRead.end();
      }
    },
    close: () => handler.close(),
  };
}

/** The service validates the credential at each call; the expiry of a minute is only required by the library. */
const authOf = (
  token: string,
  extra: { readonly address: string; readonly largeRead: LargeRead },
): AuthInfo => ({
  ...{ token, clientId: 'bearer', scopes: [], extra },
  expiresAt: Math.floor(Date.now() / 1000) + 60,
});
