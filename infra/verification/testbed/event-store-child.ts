import { startEventStoreServer, type Faults } from '../../event-store/server/index.ts';

/**
 * The embedded event store whose fault switches its parent sets by messages: `event-store-child.ts <directory> [port]`.
 * Sends `{ url }` when it serves.
 */
const [dataDir = '', port = '0'] = process.argv.slice(2);
const server = await startEventStoreServer({ dataDir, port: Number(port), uniqueIds: true });
process.on('message', (faults: Partial<Faults>) => {
  Object.assign(server.faults, faults);
  process.send?.('set');
});
const stop = (): void => void server.close().then(() => process.exit(0));
process.once('SIGTERM', stop).once('disconnect', stop);
process.send?.({ url: server.url });
