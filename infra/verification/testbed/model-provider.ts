import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Message, MessageCreateParams, StopReason, Usage } from '@anthropic-ai/sdk/resources/messages';
import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';
import type { ErrorResponse, ErrorType } from '@anthropic-ai/sdk/resources/shared';
import type { Intent } from '../../../contracts/resources/agent-turn.ts';

/** A request of `POST /v1/messages` as it arrived. */
export interface ReceivedCall {
  readonly key: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: MessageCreateParams;
  /** Resolves when it has been answered, or its connection has closed. */
  readonly over: Promise<unknown>;
}

/** The reply to one request. */
export type ModelReply = (response: ServerResponse, body: MessageCreateParams) => void | Promise<void>;

/** A model provider on loopback that speaks the Messages API, with scripted replies. */
export interface TestModelProvider {
  readonly url: string;
  readonly calls: readonly ReceivedCall[];
  /** Replies to the next requests, one each. */
  replies(...next: readonly ModelReply[]): void;
  /** The reply to requests without one of their own; at first a 500. */
  otherwise(reply: ModelReply): void;
  close(): Promise<void>;
}

export interface ModelProviderOptions {
  /** Keys that it accepts; by default all. */
  readonly keys?: readonly string[];
  readonly models?: readonly string[];
}

export async function startModelProvider({
  keys,
  models = ['claude-fable-5-2'],
}: ModelProviderOptions = {}): Promise<TestModelProvider> {
  const calls: ReceivedCall[] = [];
  const queue: ModelReply[] = [];
  let otherwise: ModelReply = failing(500);
  const accepts = (key: string) => key !== '' && (keys === undefined || keys.includes(key));

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', headers } = request;
    const { pathname } = new URL(request.url ?? '/', 'http://provider');
    const key = keyOf(headers);
    const text = await textOf(request);
    if (!accepts(key)) return sendError(response, 401);
    if (method === 'GET' && pathname === '/v1/models') return sendJson(response, 200, modelList(models));
    if (method !== 'POST' || pathname !== '/v1/messages') return sendError(response, 404);
    const body = JSON.parse(text) as MessageCreateParams;
    calls.push({ key, headers, body, over: once(response, 'close') });
    const fault = faultOfRequest(headers, text) ?? faultOf(body);
    if (fault !== undefined) return sendError(response, 400, { message: fault });
    await (queue.shift() ?? otherwise)(response, body);
  };
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    take(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    replies: (...next) => void queue.push(...next),
    otherwise: (reply) => void (otherwise = reply),
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Versions of the SDK differ in the header they send. */
const keyOf = ({ authorization = '', 'x-api-key': key }: IncomingHttpHeaders): string =>
  typeof key === 'string' ? key : (/^Bearer (\S+)$/.exec(authorization)?.[1] ?? '');

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** An escape of half a character, the only one of these that `JSON.stringify` writes. */
const halfCharacter = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

function faultOfRequest(headers: IncomingHttpHeaders, text: string): string | undefined {
  if (headers['anthropic-version'] === undefined) return 'anthropic-version: missing';
  return halfCharacter.test(text)
    ? 'The request body is not valid JSON: no low surrogate in string'
    : undefined;
}

/** Mistakes of an adapter that the real one refuses with a 400. */
function faultOf({
  model,
  max_tokens: maxTokens,
  messages,
  tools = [],
}: Partial<MessageCreateParams>): string | undefined {
  if (!model) return 'model: Field required';
  if (!maxTokens || maxTokens < 1) return 'max_tokens: Field required';
  if (messages?.[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  const topLevel = tools.flatMap((tool) => ('input_schema' in tool ? Object.keys(tool.input_schema) : []));
  if (topLevel.some((name) => ['anyOf', 'oneOf', 'allOf'].includes(name)))
    return 'tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level';
  return faultOfTurns(messages);
}

/** Each use of a tool is followed by its result. */
function faultOfTurns(messages: MessageCreateParams['messages']): string | undefined {
  let open: string[] = [];
  for (const { role, content } of messages) {
    const blocks = typeof content === 'string' ? [] : content;
    if (content.length === 0) return 'messages: content must be non-empty';
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
    if (open.join() !== results.join())
      return 'messages: each tool_use must have a tool_result in the next message';
    open =
      role === 'assistant' ? blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])) : [];
  }
  return undefined;
}

const modelList = (ids: readonly string[]) => ({
  data: ids.map((id): Pick<ModelInfo, 'id' | 'type' | 'display_name' | 'created_at'> => ({
    id,
    type: 'model',
    display_name: id,
    created_at: '2026-01-01T00:00:00Z',
  })),
  has_more: false,
  first_id: ids[0] ?? null,
  last_id: ids.at(-1) ?? null,
});

let lastId = 0;
const nextId = (prefix: string): string => `${prefix}_${String((lastId += 1)).padStart(8, '0')}`;

function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'request-id': nextId('req'), ...headers });
  response.end(JSON.stringify(body));
}

/** Token counts unless a reply says otherwise: 100 input tokens, of which 90 cached, and 20 output tokens. */
const usualUsage: Usage = {
  input_tokens: 10,
  cache_creation_input_tokens: 60,
  cache_read_input_tokens: 30,
  output_tokens: 20,
  cache_creation: null,
  inference_geo: null,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: 'standard',
  speed: 'standard',
};

type Content = Pick<Message, 'content'> & {
  readonly stop_reason: StopReason;
  readonly usage?: Partial<Usage>;
};

const messageOf = (model: string, { usage, ...content }: Content): Message => ({
  id: nextId('msg'),
  type: 'message',
  role: 'assistant',
  model,
  container: null,
  diagnostics: null,
  stop_details: null,
  stop_sequence: null,
  ...content,
  usage: { ...usualUsage, ...usage },
});

const saysMessage =
  (content: Content): ModelReply =>
  (response, { model }) =>
    sendJson(response, 200, messageOf(model, content));

/** Uses the tool, with any input. */
export const usingTool = (input: unknown, usage: Partial<Usage> = {}, name = 'plan'): ModelReply =>
  saysMessage({
    content: [{ type: 'tool_use', id: nextId('toolu'), name, input, caller: { type: 'direct' } }],
    stop_reason: 'tool_use',
    usage,
  });
export const planning = (intents: readonly Intent[], readBack = false): ModelReply =>
  usingTool({ decision: 'plan', intents, ...(readBack && { read_back: true }) });
export const clarifying = (question: string): ModelReply => usingTool({ decision: 'clarify', question });
export const refusing = (reason: string): ModelReply => usingTool({ decision: 'refuse', reason });
export const answering = (answer: string): ModelReply => usingTool({ decision: 'answer', answer });

/** Replies with text, and uses no tool. */
export const saying = (text: string, stopReason: StopReason = 'end_turn'): ModelReply =>
  saysMessage({ content: [{ type: 'text', text, citations: null }], stop_reason: stopReason });
/** Begins to use the tool, and reaches the limit of tokens. */
export const cutAtLimit: ModelReply = saysMessage({
  content: [{ type: 'tool_use', id: nextId('toolu'), name: 'plan', input: {}, caller: { type: 'direct' } }],
  stop_reason: 'max_tokens',
});
export const declining: ModelReply = saysMessage({ content: [], stop_reason: 'refusal' });

const errorTypes: Readonly<Record<number, ErrorType | 'request_too_large'>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};
type SentError = Omit<ErrorResponse, 'error'> & {
  readonly error: { readonly type: string; readonly message: string };
};

export interface ErrorDetails {
  readonly message?: string;
  /** Seconds, or a date. */
  readonly retryAfter?: string;
}

function sendError(
  response: ServerResponse,
  status: number,
  { message = 'No.', retryAfter }: ErrorDetails = {},
): void {
  const type = errorTypes[status] ?? 'api_error';
  const body: SentError = { type: 'error', error: { type, message }, request_id: nextId('req') };
  sendJson(response, status, body, { ...(retryAfter !== undefined && { 'retry-after': retryAfter }) });
}

export const failing =
  (status: number, details: ErrorDetails = {}): ModelReply =>
  (response) =>
    sendError(response, status, details);

/** The answer of a proxy in front of the provider. */
export const badGateway: ModelReply = (response) => {
  response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>502 Bad Gateway</h1></html>');
};
/** An HTML page instead of a message. */
export const htmlPage: ModelReply = (response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in to the network</html>');
};
/** Ends in the middle of its body, with its connection. */
export const brokenOff: ModelReply = async (response, { model }) => {
  const text = JSON.stringify(messageOf(model, { content: [], stop_reason: 'end_turn' }));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
  response.write(text.slice(0, text.length / 2));
  await delay(20);
  response.destroy();
};
export const resetting: ModelReply = ({ socket }) => void socket?.resetAndDestroy();
/** Never answers. */
export const silent: ModelReply = () => undefined;
/** Sends a byte now and then, and never the last one. */
export const dripping: ModelReply = async (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  while (!response.destroyed) {
    response.write(' ');
    await delay(10);
  }
};
/** A valid answer that is far too long. */
export const huge =
  (bytes = 10_000_000): ModelReply =>
  (response, body) =>
    saying('x'.repeat(bytes))(response, body);
