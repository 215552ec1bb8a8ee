import { listen } from '../../../http/index.ts';

/** Takes traces, reads them to their end and keeps nothing. */
const { port } = await listen((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
}, 0);
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
process.send?.({ ports: { otlp: port } });
