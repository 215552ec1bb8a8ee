import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { startNode } from '../../../fleet/node/index.ts';
import { createSimulatedDriver } from '../../../fleet/simulated/index.ts';
import { createOutboundGuard } from '../../../outbound/guard.ts';
import type { TestStack } from '../../testbed/index.ts';

/** Many nodes with simulated browsers in one process, which can be killed with all of them. */
export interface NodesProcess {
  readonly ids: readonly string[];
  kill(): Promise<void>;
}

interface Asked {
  readonly directory: string;
  readonly count: number;
  readonly capacity: number;
  readonly controlPlaneUrl: string;
  readonly joinToken: string;
}

const entry = fileURLToPath(import.meta.url);

/** Resolves when the control plane has registered all. */
export async function startNodes(stack: TestStack, name: string, count: number): Promise<NodesProcess> {
  const secrets: unknown = JSON.parse(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8'));
  const asked: Asked = {
    directory: join(stack.dataDir, name),
    count,
    capacity: 1_000,
    controlPlaneUrl: stack.writeUrl,
    joinToken: (secrets as { readonly NODE_JOIN_TOKEN: string }).NODE_JOIN_TOKEN,
  };
  const child = spawn(process.execPath, ['--import', 'tsx', entry, JSON.stringify(asked)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return { ids: await registered(child), kill: () => end(child) };
}

async function registered(child: ChildProcess): Promise<readonly string[]> {
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The nodes ended at once.')));
  const [ids] = (await Promise.race([once(child, 'message'), ended])) as [readonly string[]];
  return ids;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function runNodes({ directory, count, capacity, controlPlaneUrl, joinToken }: Asked): Promise<void> {
  const nodes = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const dataDir = join(directory, String(index));
      mkdirSync(dataDir, { recursive: true });
      return startNode({
        name: `bench ${index}`,
        dataDir,
        driver: createSimulatedDriver({ guard: createOutboundGuard() }),
        capacity,
        controlPlaneUrl,
        joinToken,
        logger: pino({ level: 'silent' }),
      });
    }),
  );
  process.send?.(await Promise.all(nodes.map((node) => node.registered)));
  // Exits with the bench.
  process.once('disconnect', () => process.exit(1));
}

if (process.argv[1] === entry) await runNodes(JSON.parse(process.argv[2] ?? '{}') as Asked);
