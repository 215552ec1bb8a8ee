import { invalidArgument } from './grpc-errors.ts';
import { StoredRecord } from './record.ts';
import type { streams } from '../protobuf/vendor.ts';

type FilterOptions = InstanceType<typeof streams.ReadReq.Options.FilterOptions>;
type Expression = InstanceType<typeof streams.ReadReq.Options.FilterOptions.Expression>;

/** Default window: EventStoreDB's page size. */
const DEFAULT_WINDOW = 32;

export interface RecordFilter {
  matches(record: Buffer): boolean;
  /** The log is searched in pages of this many events. */
  readonly window: number;
  /** Interval of checkpoints, in considered events. */
  readonly checkpointEvery: number;
}

function textMatcher(expression: Expression): (text: string) => boolean {
  const regex = expression.getRegex();
  const prefixes = expression.getPrefixList();
  if (regex === '') return (text) => prefixes.some((prefix) => text.startsWith(prefix));
  try {
    const compiled = new RegExp(regex);
    return (text) => compiled.test(text);
  } catch {
    throw invalidArgument(`'${regex}' is not a regular expression.`);
  }
}

function recordMatcher(options: FilterOptions): (record: Buffer) => boolean {
  const byType = options.getEventType();
  if (byType) {
    const matches = textMatcher(byType);
    return (record) => matches(new StoredRecord(record).type);
  }
  const byStream = options.getStreamIdentifier();
  if (!byStream) throw invalidArgument('A filter names either event types or streams.');
  const matches = textMatcher(byStream);
  return (record) => matches(new StoredRecord(record).stream);
}

/** @throws RpcError for an invalid filter */
export function compileFilter(options: FilterOptions): RecordFilter {
  const window = options.hasMax() ? options.getMax() : DEFAULT_WINDOW;
  const checkpointEvery = window * Math.max(1, options.getCheckpointintervalmultiplier());
  return { matches: recordMatcher(options), window, checkpointEvery };
}
