import { InvalidArgumentError } from 'commander';
import { isRequestId, parseId, uuidOf } from '../../../contracts/ids.ts';
import type { CausedEvent, RequestTree } from '../../../contracts/resources/request.ts';
import { rootOfEvent, treeOfRoot } from '../../../projections/queries/request.ts';
import { presentTree } from '../../../projections/queries/request-tree.ts';
import type { EventStore } from '../../event-store/client/index.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { section, tableOf, type Answer } from './output.ts';

/** `service trace …` */
export function traceCommands(program: ServiceCommand): void {
  program
    .command('trace')
    .description(
      'show why something happened: the request that caused it and all its effects, across accounts',
    )
    .argument('<id>', 'id of a request, an event, a delivery, a mail or an order', traceable)
    .operates('object', trace);
}

function traceable(text: string): string {
  if (isRequestId(text)) return text;
  throw new InvalidArgumentError('Expected the id of a request, an event, a delivery, a mail or an order.');
}

/** Categories, by kind of id, whose streams are traced by their first event. */
const categories = { webhookDelivery: 'webhook_delivery', mail: 'mail', order: 'order' } as const;

/** The tree of an id; undefined if it is unknown or past its retention. */
export async function treeWith({ store, pool }: Operator, id: string): Promise<RequestTree | undefined> {
  const stream = streamOf(id);
  const root =
    stream === undefined ? ((await rootOfEvent(pool, id)) ?? id) : await rootOfStream(store, stream);
  return root === undefined ? undefined : presentTree(await treeOfRoot(pool, root));
}

/** Read-only. Rejects if the id is unknown or past its retention. */
async function trace(operator: Operator, id: string): Promise<Answer> {
  const tree = await treeWith(operator, id);
  const stream = streamOf(id);
  if (tree === undefined)
    throw new Error(
      `${id} is unknown, or is no longer kept. Expected the id of a request, an event, a delivery, a mail or an order.`,
    );
  return { value: tree, lines: shown(tree, (event) => event.id === id || event.stream === stream) };
}

function streamOf(id: string): string | undefined {
  for (const kind of ['webhookDelivery', 'mail', 'order'] as const) {
    const found = parseId(kind, id);
    if (found !== undefined) return `${categories[kind]}-${uuidOf(found)}`;
  }
  return undefined;
}

async function rootOfStream(store: EventStore, stream: string): Promise<string | undefined> {
  for await (const { metadata } of store.readStream(stream, { limit: 1 })) return metadata.correlation_id;
  return undefined;
}

function shown(tree: RequestTree, isAsked: (event: CausedEvent) => boolean): readonly string[] {
  const { request, events, deliveries, mails, has_more } = tree;
  const route = request.method === null ? 'no request' : `${request.method} ${request.path}`;
  const answer =
    request.status === null ? 'no recorded answer' : `${request.status} in ${request.duration_ms} ms`;
  const began = Date.parse(request.at);
  const rows = depthFirst(events).map(({ event, depth }) => [
    `${'  '.repeat(depth)}${event.type}`,
    `+${Date.parse(event.at) - began} ms`,
    `${event.by} ${event.name ?? ''}`,
    event.stream,
    isAsked(event) ? '◄' : '',
  ]);
  return [
    `${request.id}  ${request.at}  ${route}  ${answer}`,
    ...(rows.length === 0 ? ['The request changed nothing.'] : tableOf(rows)),
    ...(has_more ? [`… and more: only the first ${events.length} events are shown.`] : []),
    ...section(deliveries, { delivery: 'id', status: 'status', attempts: ({ attempts }) => attempts.length }),
    ...section(mails, { mail: 'id', template: 'template', status: 'status' }),
  ];
}

interface Placed {
  readonly event: CausedEvent;
  readonly depth: number;
}

/** Each event below its cause, in log order. One whose cause is not shown is at the top level. */
function depthFirst(events: readonly CausedEvent[]): readonly Placed[] {
  const ids = new Set(events.map(({ id }) => id));
  const following = new Map<string | null, CausedEvent[]>();
  for (const event of events) {
    const cause = event.cause !== null && ids.has(event.cause) ? event.cause : null;
    const known = following.get(cause);
    if (known === undefined) following.set(cause, [event]);
    else known.push(event);
  }
  const waiting: Placed[] = [];
  const place = (cause: string | null, depth: number) =>
    (following.get(cause) ?? []).toReversed().forEach((event) => waiting.push({ event, depth }));
  const placed: Placed[] = [];
  place(null, 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    placed.push(next);
    place(next.event.id, next.depth + 1);
  }
  return placed;
}
