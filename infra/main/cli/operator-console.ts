import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createConsole } from '../../gateway/console.ts';
import { silentLogger } from '../../logging/index.ts';
import { createLifetime } from '../lifetime.ts';
import type { ServiceCommand } from './command.ts';
import { endSignal } from './end-signal.ts';
import { listenHere } from '../composition/listen-here.ts';
import { asOperator, type Operator } from './operator.ts';
import { createOperatorListener } from './operator-listener.ts';
import { line, toJson, type Json } from './output.ts';
import { port } from './parse.ts';

/** `service operator-console` */
export function operatorConsoleCommand(program: ServiceCommand): void {
  program
    .command('operator-console')
    .description('serve web pages for the same work as these commands, only on this machine, until Ctrl-C')
    .option('--port <port>', 'port of this machine to serve them on; 0 chooses a free one', port, 0)
    .option('--json', 'print one JSON object when it is ready')
    .action(operatorConsole);
}

type Options = Json & { readonly port: number };

async function operatorConsole(options: Options): Promise<void> {
  const stopped = endSignal();
  await asOperator((operator) => serveUntil(stopped, operator, options));
}

/** The link of this run grants all rights of the operator: it is new each time, and no server receives the part after `#`. */
async function serveUntil(stopped: AbortSignal, operator: Operator, { port, json }: Options): Promise<void> {
  const lifetime = createLifetime(silentLogger());
  const { ERRORS_BASE: errorsBase } = operator.config;
  const token = randomBytes(32).toString('base64url');
  const directory = join(process.env.SERVICE_BUNDLE ?? '', 'operator-console');
  const console = createConsole({ directory, termsRevision: '', errorsBase });
  try {
    const server = await listenHere(port, createOperatorListener({ operator, token, console }), errorsBase);
    lifetime.defer('http', () => server.close());
    const url = `http://127.0.0.1:${server.port}`;
    const link = `${url}/console/#token=${token}`;
    for (const each of json
      ? [toJson({ url, link, token })]
      : [link, 'The link works only on this machine, until Ctrl-C.'])
      line(each);
    if (!stopped.aborted) await once(stopped, 'abort');
  } finally {
    await lifetime.close();
  }
}
