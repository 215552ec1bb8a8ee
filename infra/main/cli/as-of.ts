import { once } from 'node:events';
import type { AccountId } from '../../../contracts/ids.ts';
import { buildPast, inPastSchema, type Moment } from '../../../projections/index.ts';
import { positionText } from '../../event-store/client/position.ts';
import { silentLogger } from '../../logging/index.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { createLifetime } from '../lifetime.ts';
import type { ServiceCommand } from './command.ts';
import { endSignal } from './end-signal.ts';
import { asOperator, assertAccount, type Operator } from './operator.ts';
import { line, toJson, type Json } from './output.ts';
import { idOf, moment, port } from './parse.ts';
import { progressBar } from './progress-bar.ts';
import { firstSignal } from '../../platform/first-signal.ts';

/** `service as-of` */
export function asOfCommand(program: ServiceCommand): void {
  program
    .command('as-of')
    .description('serve the read side as it was at a moment, beside the live one, until Ctrl-C')
    .argument('<moment>', 'a time such as 2026-01-05T12:00:00Z, or a position of the log', moment)
    .option('--port <port>', 'port of this machine to serve it on; 0 chooses a free one', port, 0)
    .option('--account <id>', 'only with the data of this account', idOf('account'))
    .option('--json', 'print one JSON object when it is ready')
    .action(asOf);
}

interface AsOfOptions extends Json {
  readonly port: number;
  readonly account?: AccountId;
}

/** The first signal ends it gracefully, at any stage; later ones change nothing. */
async function asOf(moment: Moment, options: AsOfOptions): Promise<void> {
  const stopped = endSignal();
  try {
    await asOperator((operator) => serveUntil(stopped, operator, moment, options));
  } catch (error) {
    if (!stopped.aborted) throw error;
  }
}

async function serveUntil(
  stopped: AbortSignal,
  { config, store, pool }: Operator,
  moment: Moment,
  { port, account, json }: AsOfOptions,
): Promise<void> {
  if (account !== undefined) await assertAccount({ store }, account);
  // Loaded here, because other commands do not need it.
  const { listenForPast, statusUpTo } = await import('../composition/past.ts');
  const logger = silentLogger();
  const lifetime = createLifetime(logger);
  try {
    const server = await listenForPast({ config, logger, lifetime }, port);
    await inPastSchema(pool, async (client, schema, lost) => {
      const signal = firstSignal(stopped, lost);
      const status = statusUpTo();
      const bar = progressBar(json);
      const building = { store, clock, account, signal, onProgress: bar.update, onEvent: status.add };
      const { position, at } = await buildPast(client, schema, moment, building).finally(bar.stop);
      await server.serve(store, { schema, position, at, account }, status.board());
      const served = { url: server.url, position: positionText(position), at, account: account ?? null };
      line(json ? toJson(served) : `As of ${at.toISOString()} (${served.position}): ${served.url}`);
      if (!signal.aborted) await once(signal, 'abort');
      // Ends readers before their tables are dropped.
      await lifetime.close();
      lost.throwIfAborted();
    });
  } finally {
    await lifetime.close();
  }
}
