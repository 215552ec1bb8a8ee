import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atMost, type CheckSubject, type RatioSubject } from '../subject.ts';
import { makeState } from './made-state.ts';
import type { Work, WorkDone } from './work.ts';

const mebibyte = 1024 * 1024;
const stateMebibytes = 250;
const entry = fileURLToPath(new URL('process.ts', import.meta.url));
/** Both sides are pinned to the same core. */
const oneCore = ['taskset', '--cpu-list', '0'] as const;

interface Worker {
  readonly ask: (work: Work) => Promise<WorkDone>;
  readonly stop: () => Promise<void>;
}

async function startWorker(directory: string, prefix: readonly string[] = []): Promise<Worker> {
  const root = join(directory, 'blobs');
  await mkdir(root, { recursive: true });
  const command = [...prefix, process.execPath, '--import', 'tsx', entry, root];
  const child = spawn('env', command, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await messageOf(child);
  return {
    ask: async (work) => {
      const done = messageOf(child);
      child.send(work);
      return (await done) as WorkDone;
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill();
      await gone;
    },
  };
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]: unknown[]) => message),
      once(child, 'exit', { signal }).then((): never => {
        throw new Error('The process that keeps states has ended.');
      }),
    ]);
  } finally {
    settled.abort();
  }
}

/** A shell pipeline for the same work, without checks, index or limits. */
async function pipe(state: string, file: string): Promise<void> {
  const script = [
    'set -o pipefail',
    'key=$(openssl rand -hex 32) iv=$(openssl rand -hex 16)',
    'tar -C "$0" -cf - . | zstd -q | openssl enc -aes-256-ctr -K $key -iv $iv | dd of="$1" bs=1M iflag=fullblock conv=fsync status=none',
  ].join('\n');
  const child = spawn(oneCore[0], [...oneCore.slice(1), 'bash', '-c', script, state, file], {
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The pipe ended with ${code}.`);
}

/** Packed, sealed and written to disk, by one process on one core. */
export const profileState: RatioSubject = {
  kind: 'ratio',
  id: 'profile-state',
  long: true,
  title: `a state of ${stateMebibytes} MiB packed, sealed and stored / tar | zstd | openssl to a file, on one core, in MiB`,
  pass: 0.5,
  stretch: 0.8,
  operations: stateMebibytes,
  async prepare({ directory, seed }) {
    const state = join(directory, 'state');
    await makeState(state, stateMebibytes, seed);
    const worker = await startWorker(directory, oneCore);
    return {
      ours: {
        name: 'packState and keep',
        run: async () => {
          await worker.ask({ kind: 'keep', directory: state });
        },
      },
      raw: { name: 'tar | zstd | openssl', run: () => pipe(state, join(directory, 'piped')) },
      close: worker.stop,
    };
  },
};

const memoryBars = { pass: 32, stretch: 16 };

/** Measured in a process that has done the same with a small state, so that its code is loaded. */
export const profileStateMemory: CheckSubject = {
  kind: 'check',
  id: 'profile-state-memory',
  long: true,
  title: `resident memory that keeping and opening a state of ${stateMebibytes} MiB adds to a process that has kept one of 8`,
  bars: memoryBars,
  unit: 'MB',
  async check({ directory, seed }) {
    const [small, large] = [join(directory, 'small'), join(directory, 'large')];
    await makeState(small, 8, seed);
    await makeState(large, stateMebibytes, seed);
    const worker = await startWorker(directory);
    try {
      const both = async (state: string) => {
        const kept = await worker.ask({ kind: 'keep', directory: state });
        const into = join(directory, 'opened');
        await mkdir(into);
        const opened = await worker.ask({ kind: 'open', directory: into });
        await rm(into, { recursive: true });
        return { kept, opened };
      };
      const { opened: before } = await both(small);
      const { kept, opened } = await both(large);
      const growth = ({ rssAtMost }: WorkDone) => (rssAtMost - before.rssBefore) / mebibyte;
      return atMost(memoryBars, Math.max(growth(kept), growth(opened)), {
        mb_to_keep: growth(kept),
        mb_to_open: growth(opened),
        mb_before: before.rssBefore / mebibyte,
        mb_sealed: kept.sealedBytes / mebibyte,
      });
    } finally {
      await worker.stop();
    }
  },
};
