import { createLogger } from '../../logging/index.ts';
import { startEventStoreServer } from '../../event-store/server/index.ts';
import { createLifetime } from '../lifetime.ts';
import { keepFilesPrivate } from '../private-files.ts';
import { installProcessRules } from '../process-rules.ts';

/**
 * The embedded event store in its own process: `run.mjs event-store <directory> <port> <log level> <limit ms>`. Its password is
 * in the environment, which, unlike arguments, is not visible to other users.
 */
async function run([dataDir, port, level, limitMs]: readonly string[]): Promise<void> {
  if (!dataDir || !port || !level || !limitMs)
    throw new Error('Usage: event-store <directory> <port> <log level> <limit ms>.');
  const password = process.env.EVENT_STORE_PASSWORD;
  if (!password) throw new Error('EVENT_STORE_PASSWORD is not set.');
  keepFilesPrivate();
  const logger = createLogger({ level, base: { role: 'event-store' }, secrets: [password] });
  const lifetime = createLifetime(logger);
  const opening = startEventStoreServer({ dataDir, port: Number(port), password });
  installProcessRules({ logger, lifetime, opening: () => opening, limitMs: Number(limitMs) });
  const server = await opening;
  lifetime.defer('event store', () => server.close());
  logger.info({ port: server.port }, 'Serving.');
  process.send?.({ ready: true });
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
