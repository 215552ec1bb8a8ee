import {
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { ToolError, describeFailure } from './advice.ts';
import { maxResourceBytes } from './limits.ts';
import { openBrowsers } from './open-list.ts';
import { linesOf } from './page.ts';
import { reference } from './reference.ts';
import {
  isPageKind,
  pageKinds,
  pageUri,
  referenceUri,
  transcriptUri,
  type PageKind,
} from './resource-names.ts';
import type { ConnectionContext } from './tool.ts';
import { contentOf } from './tools/keeping.ts';
import { untrusted } from './words.ts';

type Given = Readonly<Record<string, string | string[]>>;
type Content = Omit<ReadResourceResult['contents'][number], 'uri'>;

/** Resources of one kind: naming, listing and reading. */
interface Kind {
  readonly name: string;
  readonly template: string;
  readonly title: string;
  readonly list?: (connection: ConnectionContext, signal: AbortSignal) => Promise<readonly string[]>;
  readonly read: (connection: ConnectionContext, given: Given, signal: AbortSignal) => Promise<Content>;
}

/** Maximum listed transcripts, newest first. */
const listed = 20;

const kinds: readonly Kind[] = [
  {
    name: 'transcript',
    template: 'service://transcripts/{agent}',
    title: 'What was said to an agent session',
    list: async ({ service }, signal) => {
      for await (const { data } of service.agents.list({ limit: listed, signal }).byPage())
        return data.map(({ id }) => transcriptUri(id));
      return [];
    },
    read: (connection, { agent }, signal) => transcriptOf(connection, String(agent), signal),
  },
  {
    name: 'page',
    template: 'service://browsers/{session}/page.{kind}',
    title: 'The page as png, pdf or html',
    list: async ({ service }, signal) =>
      (await openBrowsers(service, signal)).open.map(({ id }) => pageUri(id, 'png')),
    read: async (connection, { session, kind }, signal) => {
      if (!isPageKind(kind)) throw new ToolError('A page is png, pdf or html.');
      return captureOf(connection, String(session), kind, signal);
    },
  },
  {
    name: 'file',
    template: 'service://browsers/{session}/files/{name}',
    title: 'A downloaded file',
    read: async (connection, { session, name }, signal) => {
      const file = decodeURIComponent(String(name));
      const { mime, bytes } = await contentOf({ ...connection, signal }, String(session), file);
      return { mimeType: mime, blob: bytes.toString('base64') };
    },
  },
];

/** Registers the resources that clients can read. */
export function addResources(server: McpServer, connection: ConnectionContext): void {
  server.registerResource(
    'reference',
    referenceUri,
    { title: 'Using the browser tools', mimeType: 'text/markdown' },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/markdown', text: reference }] }),
  );
  for (const kind of kinds) add(server, connection, kind);
}

function add(server: McpServer, connection: ConnectionContext, { name, template, title, list, read }: Kind) {
  const listAll =
    list &&
    (async ({ mcpReq }: ServerContext) => {
      const uris = await list(connection, mcpReq.signal);
      return { resources: uris.map((uri) => ({ uri, name: uri.split('/').slice(2).join('/') })) };
    });
  server.registerResource(
    name,
    new ResourceTemplate(template, { list: listAll }),
    { title },
    async (uri, given, { mcpReq: { signal } }) => {
      const content = await readOr(() => read(connection, given, signal), signal, uri.href);
      return { contents: [{ uri: uri.href, ...content } as ReadResourceResult['contents'][number]] };
    },
  );
}

async function readOr(read: () => Promise<Content>, signal: AbortSignal, uri: string): Promise<Content> {
  try {
    return await read();
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ResourceNotFoundError(uri, describeFailure(error));
  }
}

async function captureOf(
  { service, largeRead }: ConnectionContext,
  session: string,
  as: PageKind,
  signal: AbortSignal,
) {
  const { kind, mimeType } = pageKinds[as];
  await largeRead?.begin(signal);
  const { data, encoding } = await service.sessions.capture(session, { kind }, { signal });
  if (data.length > maxResourceBytes)
    throw new ToolError('It is larger than can be given here.', 'Capture it by the API.');
  return encoding === 'utf8' ? { mimeType, text: data } : { mimeType, blob: data };
}

/** Maximum characters of one transcript, and entries that are read for them: the last ones. */
const [longest, mostEntries] = [60_000, 500];

async function transcriptOf({ service }: ConnectionContext, agent: string, signal: AbortSignal) {
  const { transcript_length: length, status } = await service.agents.get(agent, { signal });
  const after = length > mostEntries ? { after: length - mostEntries - 1 } : {};
  let text = '';
  if (length > 0)
    for await (const { index, entry } of service.agents.transcript(agent, { ...after, signal })) {
      const result = entry.result === undefined ? [] : [`result: ${JSON.stringify(entry.result)}`];
      const lines = linesOf([`${entry.role}: ${entry.body}`, ...result].join('\n'));
      // Cut at each entry: a transcript may be larger than the memory of this process.
      text = [text, ...lines].join('\n').slice(-longest);
      if (index >= length - 1) break;
    }
  const lines = text.split('\n').filter((line) => line !== '');
  return {
    mimeType: 'text/plain',
    text: [`${agent} (${status})`, ...untrusted(lines, 'people, agents and pages')].join('\n'),
  };
}
