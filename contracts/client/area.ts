import { Call } from './call.ts';
import type { Connection } from './connection.ts';
import { List, type SentPage } from './list.ts';
import { operationOf, type Operation } from './operation.ts';
import { callOptionNames, type CallOptions } from './options.ts';
import { pathWith, withQuery, type Sent } from './request.ts';
import { resumed } from './stream.ts';

/** The operations of an area, by the last part of their ids. */
export type Rows = Readonly<Record<string, string>>;

/** `input-event` and `magic-link.request` as names of methods. */
export const methodName = (verb: string): string =>
  verb.replace(/[^A-Za-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());

export const operationsIn = (prefix: string, rows: Rows): readonly Operation[] =>
  Object.entries(rows).map(([verb, row]) => operationOf(`${prefix}.${verb}`, row));

/** An object with a method for each operation: path parameters first, then the body or the query, then options. */
export function area<Api>(connection: Connection, prefix: string, rows: Rows): Api {
  const methods = Object.entries(rows).map(([verb, row]) => {
    const operation = operationOf(`${prefix}.${verb}`, row);
    return [
      methodName(verb),
      (...given: readonly unknown[]) => invoke(connection, operation, given),
    ] as const;
  });
  return Object.fromEntries(methods) as Api;
}

/** Calls an operation: returns a list, a stream of events' data, or a call. */
function invoke(connection: Connection, operation: Operation, given: readonly unknown[]): unknown {
  if (operation.cursor !== undefined) return listOf(connection, operation, given);
  if (operation.gives === 'events') return streamOf(connection, operation, given);
  return new Call(sentBy(operation, given, (sent) => connection.send(operation, sent)));
}

/** Rejects for invalid arguments, instead of throwing. */
const sentBy = async <T>(
  operation: Operation,
  given: readonly unknown[],
  send: (sent: Sent) => Promise<T>,
): Promise<T> => send(sentOf(operation, given));

function listOf(connection: Connection, operation: Operation, given: readonly unknown[]): List<unknown> {
  const begins = operation.cursor ?? 'cursor';
  return new List((cursor) =>
    sentBy(operation, cursor === undefined ? given : [...given, { [begins]: cursor }], async (sent) => {
      const { data } = await connection.send<SentPage>(operation, sent);
      return data;
    }),
  );
}

async function* streamOf(connection: Connection, operation: Operation, given: readonly unknown[]) {
  const sent = sentOf(operation, given);
  for await (const { data } of resumed(connection, operation, sent, () => Promise.resolve(false)))
    yield JSON.parse(data) as unknown;
}

const parametersIn = (path: string): number => path.split('{').length - 1;

/** The request of these arguments. A query and call options may be one object: their names do not overlap. */
export function sentOf(operation: Operation, given: readonly unknown[]): Sent {
  const count = parametersIn(operation.path);
  const path = pathWith(operation.path, given.slice(0, count));
  const rest = given.slice(count);
  if (operation.takes !== undefined) {
    const [body, options] = rest as [unknown, CallOptions?];
    return { ...options, path, body };
  }
  const all = Object.entries(Object.assign({}, ...rest) as Record<string, unknown>);
  const options = Object.fromEntries(all.filter(([name]) => callOptionNames.has(name)));
  const query = Object.fromEntries(all.filter(([name]) => !callOptionNames.has(name)));
  return { ...options, path: withQuery(path, query) };
}
