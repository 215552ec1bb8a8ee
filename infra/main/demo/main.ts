import { startDemoSite } from './site.ts';

/** `npm run demo`: serves the pages that the README's walk uses, until Ctrl-C. */
const site = await startDemoSite(Number(process.env.DEMO_PORT ?? 8090));
process.stdout.write(`Demonstration pages at ${site.url}\n`);
process.once('SIGINT', () => void site.close());
process.once('SIGTERM', () => void site.close());
