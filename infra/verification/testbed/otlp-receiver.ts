import type { IncomingMessage } from 'node:http';
import { listen } from '../../http/index.ts';

type Value = {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
};
type Named = readonly { readonly key: string; readonly value: Value }[];

interface WireSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes?: Named;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status?: { readonly code?: number };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Named };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer' | 'unspecified';
  /** Role of its process. */
  readonly role: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly hasFailed: boolean;
}

export interface OtlpReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Raw bodies in order of arrival. */
  readonly texts: string[];
  readonly headers: IncomingMessage['headers'][];
  /** Status of the answers; with any other than 200 it records nothing. */
  status: number;
  close(): Promise<void>;
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

/** Like an OpenTelemetry collector: accepts traces as JSON. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const texts: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const receiver = { spans, texts, headers, status: 200 };
  const server = await listen((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      if (receiver.status === 200 && request.url === '/v1/traces') {
        texts.push(text);
        headers.push(request.headers);
        spans.push(...spansIn(JSON.parse(text) as Export));
      }
      response.writeHead(receiver.status, { 'content-type': 'application/json' }).end('{}');
    });
  }, 0);
  return Object.assign(receiver, { url: `http://127.0.0.1:${server.port}`, close: server.close });
}

const spansIn = ({ resourceSpans }: Export): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const role = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => taken(span, role)));
  });

const taken = (span: WireSpan, role: string): ReceivedSpan => ({
  ...{ traceId: span.traceId, spanId: span.spanId, name: span.name, role },
  parentId: span.parentSpanId === '' ? undefined : span.parentSpanId,
  kind: kinds[span.kind] ?? 'unspecified',
  attributes: valuesOf(span.attributes ?? []),
  links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
  hasFailed: span.status?.code === 2,
});

const valuesOf = (named: Named): Record<string, string | number> =>
  Object.fromEntries(
    named.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  );
