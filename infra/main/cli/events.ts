import { InvalidArgumentError } from 'commander';
import { categories } from '../../../contracts/events/index.ts';
import type { RecordedEvent } from '../../event-store/client/index.ts';
import type { ServiceCommand } from './command.ts';
import { asOperator } from './operator.ts';
import { line, toJson, type Json } from './output.ts';
import { count } from './parse.ts';

/** `service events …` */
export function eventCommands(program: ServiceCommand): void {
  const events = program
    .command('events')
    .description('read the event log; none of these commands changes it');
  events
    .command('read')
    .description('print one stream, oldest event first')
    .argument('<stream>', 'such as session-<uuid>', streamName)
    .option('--limit <events>', 'at most this many', count)
    .option('--json', 'print one JSON object per line')
    .action((stream: string, options: Json & { limit?: number }) => read(stream, options));
  events
    .command('tail')
    .description('print events as they are appended, until Ctrl-C')
    .option(
      '--category <names>',
      'only streams of these categories, separated by commas, such as session,account',
      categoryNames,
    )
    .option('--json', 'print one JSON object per line')
    .action(tail);
  events
    .command('export')
    .description('print the whole event log as one JSON object per line, oldest event first')
    .option('--category <names>', 'only streams of these categories, separated by commas', categoryNames)
    .option('--json', 'no effect: the output is always JSON')
    .action(exportAll);
}

interface Filter extends Json {
  readonly category?: readonly string[];
}

function read(stream: string, { limit, json }: Json & { limit?: number }): Promise<void> {
  return asOperator(async ({ store }) => {
    let found = 0;
    for await (const event of store.readStream(stream, limit === undefined ? {} : { limit })) {
      found += 1;
      print(event, json);
    }
    if (found === 0) throw new Error(`There is no stream ${stream}.`);
  });
}

function tail({ category, json }: Filter): Promise<void> {
  return asOperator(async ({ store }) => {
    const news = store.subscribe({ from: 'end', ...prefixes(category) });
    process.once('SIGINT', () => void news.close());
    process.once('SIGTERM', () => void news.close());
    for await (const message of news) if (message.kind === 'event') print(message.event, json);
  });
}

function exportAll({ category }: Filter): Promise<void> {
  return asOperator(async ({ store }) => {
    for await (const event of store.readAll(prefixes(category))) {
      if (!event.stream.startsWith('$')) print(event, true);
    }
  });
}

const prefixes = (names: readonly string[] | undefined) =>
  names === undefined ? {} : { prefixes: names.map((name) => `${name}-`) };

function print(event: RecordedEvent, json: boolean | undefined): void {
  const { created, stream, revision, type, data } = event;
  line(json ? toJson(event) : `${created.toISOString()}  ${stream}@${revision}  ${type}  ${toJson(data)}`);
}

/** Of the contract, and that of the states which the service keeps to read long streams faster. */
const inLog = [...Object.keys(categories), 'snapshot'].sort();

function categoryNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => inLog.includes(name))) return names;
  throw new InvalidArgumentError(`Expected ${inLog.join(', ')}, or several of them separated by commas.`);
}

function streamName(text: string): string {
  if (/^\$*[a-z_]+-.+/.test(text)) return text;
  throw new InvalidArgumentError('Expected the name of a stream, such as session-<uuid>.');
}
