import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import type { Service } from '../../../contracts/client/index.ts';
import { noSecrets } from '../secrets.ts';
import { createServer } from '../server.ts';
import type { ConnectionContext } from '../tool.ts';

export interface ToolAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** Characters of the whole serialised answer, without pictures. */
  readonly size: number;
}

/** The parts of a tool's answer. */
export function answerIn(result: Awaited<ReturnType<Client['callTool']>>): ToolAnswer {
  const texts = result.content.flatMap((each) => (each.type === 'text' ? [each.text] : []));
  const structured = (result.structuredContent ?? {}) as Record<string, unknown>;
  const size = texts.join('').length + JSON.stringify(structured).length;
  return { text: texts.join('\n'), structured, isError: result.isError === true, size };
}

type AreasOf = { readonly [Area in keyof Service]?: unknown };

/** A client of the tools on a service faked by the test. */
export async function connected(areas: AreasOf, context: Partial<ConnectionContext> = {}) {
  const none = { list: () => ({ async *byPage() {} }), ...(areas.sessions as object) };
  const service = { ...areas, sessions: none } as unknown as Service;
  const server = createServer({
    ...{ service, consoleUrl: 'https://service.example/console', opened: undefined, secrets: noSecrets },
    ...context,
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(near);
  return {
    client,
    call: async (name: string, args: Record<string, unknown> = {}) =>
      answerIn(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}
