import { pino } from 'pino';
import { instantFleet, startWriteSide } from './write-side.ts';

/** The write API in a process of its own, on the event store at the URL it is given. */
const [url = ''] = process.argv.slice(2);
const { base, token } = await startWriteSide(
  url,
  instantFleet().fleet,
  pino({ level: 'warn' }, process.stderr),
);
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
process.send?.({ base, token });
