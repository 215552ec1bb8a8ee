import { startEventStoreServer, type Faults } from '../../event-store/server/index.ts';

/**
 * The embedded event store whose fault switches its parent sets by messages: `<directory> [port]`. Sends `{ url }` when it serves.
 */
async function serve([dataDir = '', port = '0']: readonly string[]): Promise<void> {
  const server = await startEventStoreServer({ dataDir, port: Number(port), uniqueIds: true });
  process.on('message', (faults: Partial<Faults>) => {
    Object.assign(server.faults, faults);
    process.send?.('set');
  });
  const stop = (): void => void server.close().then(() => process.exit(0));
  process.once('SIGTERM', stop).once('disconnect', stop);
  process.send?.({ url: server.url });
}

void serve(process.argv.slice(2));
