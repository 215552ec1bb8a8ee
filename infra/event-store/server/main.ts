import { parseArgs } from 'node:util';
import { parseFaults } from './faults.ts';
import { startEventStoreServer } from './index.ts';

/**
 * The event store as a process of its own:
 * `main.ts --data-dir DIR [--port N] [--host ADDRESS] [--faults JSON]`.
 * Prints one line of JSON, `{"url": …}`, when it serves; SIGTERM and SIGINT close it.
 */
const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    faults: { type: 'string', default: '{}' },
  },
});

async function main(): Promise<void> {
  const dataDir = values['data-dir'];
  if (dataDir === undefined) throw new Error('--data-dir is missing.');
  const faults = parseFaults(values.faults);
  const server = await startEventStoreServer({
    dataDir,
    port: Number(values.port),
    host: values.host,
    faults,
  });
  const stop = (): void => void server.close().then(() => process.exit(0));
  process.once('SIGTERM', stop).once('SIGINT', stop);
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
