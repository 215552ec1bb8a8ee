import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio2025 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { answerIn, type ToolAnswer } from '../../mcp/testing/connection.ts';

/** Address of the tools, and the caller's key. */
export interface Place {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The person's answer to a request to open an address. */
  readonly person?: (url: string) => Promise<'accept' | 'decline'>;
}

export interface ToolClient {
  readonly version: string | undefined;
  call(name: string, args?: object, options?: { readonly signal?: AbortSignal }): Promise<ToolAnswer>;
  tools(): Promise<readonly string[]>;
  /** The text of a resource; a binary one in base64. */
  read(uri: string): Promise<string>;
  /** The server's process, if it has its own. */
  readonly pid: number | null;
  close(): Promise<void>;
}

const programOf = ({ baseUrl, apiKey, env = {} }: Place) => ({
  command: process.execPath,
  args: ['infra/main/run.mjs', 'command', 'mcp'],
  env: { PATH: process.env.PATH ?? '', SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: apiKey, ...env },
  stderr: 'inherit' as const,
});
const headersOf = ({ apiKey }: Place) => ({
  requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
});
const about = { name: 'test', version: '1' };

type Calls = Pick<Client, 'callTool' | 'listTools' | 'readResource' | 'close'>;

const toolsOf = (client: Calls, version: () => string | undefined, pid: () => number | null): ToolClient => ({
  get version() {
    return version();
  },
  get pid() {
    return pid();
  },
  call: async (name, args = {}, options) =>
    answerIn(await client.callTool({ name, arguments: { ...args } }, options)),
  tools: async () => (await client.listTools()).tools.map(({ name }) => name),
  read: async (uri) => {
    const [content] = (await client.readResource({ uri })).contents;
    return content === undefined ? '' : 'text' in content ? content.text : content.blob;
  },
  close: () => client.close(),
});

/** The current library, with the protocol of 2026 or of 2025. */
async function today(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  mode: 'auto' | 'legacy',
  { person }: Place,
) {
  const capabilities = person === undefined ? {} : { elicitation: { url: {} } };
  const client = new Client(about, { versionNegotiation: { mode }, capabilities });
  if (person !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => ({
      action: await person('url' in params ? params.url : ''),
    }));
  await client.connect(transport);
  const pid = () => ('pid' in transport ? transport.pid : null);
  return toolsOf(client, () => client.getNegotiatedProtocolVersion(), pid);
}

/** The library of 2025. */
async function of2025(transport: Stdio2025 | Http2025) {
  const client = new Client2025(about);
  await client.connect(transport);
  const pid = () => ('pid' in transport ? transport.pid : null);
  return toolsOf(client as unknown as Calls, () => undefined, pid);
}

/** Every transport, with every client library. */
export const clients = {
  'stdio, 2026': (place: Place) => today(new StdioClientTransport(programOf(place)), 'auto', place),
  'stdio, 2025': (place: Place) => today(new StdioClientTransport(programOf(place)), 'legacy', place),
  'stdio, library of 2025': (place: Place) => of2025(new Stdio2025(programOf(place))),
  'HTTP, 2026': (place: Place) =>
    today(new StreamableHTTPClientTransport(new URL('/mcp', place.baseUrl), headersOf(place)), 'auto', place),
  'HTTP, 2025': (place: Place) =>
    today(
      new StreamableHTTPClientTransport(new URL('/mcp', place.baseUrl), headersOf(place)),
      'legacy',
      place,
    ),
  'HTTP, library of 2025': (place: Place) =>
    of2025(new Http2025(new URL('/mcp', place.baseUrl), headersOf(place))),
} as const;
