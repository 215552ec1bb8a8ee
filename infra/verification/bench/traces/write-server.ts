import { pino } from 'pino';
import { Agent } from 'undici';
import { traceWith } from '../../../tracing/index.ts';
import { startTracing } from '../../../tracing/sdk.ts';
import { createSessions, instantFleet, startWriteSide } from '../write-side.ts';

/** The write API on the event store at the first address, traced to the collector at the optional second one. */
const [url = '', endpoint = '', sessionCount = ''] = process.argv.slice(2);
const logger = pino({ level: 'warn' }, process.stderr);
if (endpoint !== '') traceWith(startTracing({ endpoint, ratio: 1, role: 'write-api', logger }).tracing);
const { base, token } = await startWriteSide(url, instantFleet().fleet, logger);
const agent = new Agent();
const sessions = await createSessions(agent, base, token, Number(sessionCount));
await agent.close();
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
process.send?.({ ports: { api: Number(new URL(base).port) }, details: { token, sessions } });
