import { listen } from '../../../http/index.ts';
import { tempDir } from '../../testbed/index.ts';
import { startWatchers } from '../../live-view/watcher.ts';
import type { VideoBlock } from '../../live-view/picture-participant.ts';
import type { Bench, Finding } from '../subject.ts';
import { onSystem, type SystemUnderTest } from '../system/system-stack.ts';
import { webKit } from '../system/system-webkit.ts';

/** Shows the time, in milliseconds and modulo 65536, as sixteen blocks of 24 pixels, lowest bit first; `?still` stops it. */
const clock = `<!doctype html><meta name="viewport" content="width=device-width"><style>body { margin: 0 }</style><canvas width="390" height="600"></canvas>
<script>
  const context = document.querySelector('canvas').getContext('2d');
  const draw = () => {
    const now = Date.now() % 65536;
    for (let bit = 0; bit < 16; bit += 1) {
      context.fillStyle = now & (1 << bit) ? '#fff' : '#000';
      context.fillRect(bit * 24, 0, 24, 48);
    }
    context.fillStyle = 'hsl(' + now / 20 + ' 80% 50%)';
    context.fillRect(0, 60 + (now % 500), 390, 30);
    if (!location.search.includes('still')) requestAnimationFrame(draw);
  };
  draw();
  addEventListener('touchstart', () => void fetch('/touched', { method: 'POST', body: String(Date.now()) }));
</script>`;

export interface LiveSystem extends SystemUnderTest {
  readonly watchers: Awaited<ReturnType<typeof startWatchers>>;
  /** A new token for each call. */
  readonly video: () => Promise<VideoBlock>;
  /** Makes links, for people other than the account's owner. */
  readonly links: (count: number) => Promise<readonly VideoBlock[]>;
  readonly open: (query: string) => Promise<void>;
  /** Times of touches on the page, in milliseconds since the epoch. */
  readonly touched: readonly number[];
}

/** Directory of these subjects' browsers, which distinguishes their processes from others of the machine. */
export const runtimeDir = tempDir('bench-live');

/** Serves the page, and records touches. */
async function serveClock() {
  const touched: number[] = [];
  const site = await listen((request, reply) => {
    reply.setHeader('content-type', 'text/html');
    if (request.method !== 'POST') return void reply.end(clock);
    request.on('data', (body: Buffer) => void touched.push(Number(body.toString())));
    request.on('end', () => reply.end());
  }, 0);
  return { url: `http://127.0.0.1:${site.port}`, touched, close: site.close };
}

/** The whole service with one browser that shows a clock, and viewers in Chromium on the same machine. */
export const onLiveSystem = (
  bench: Pick<Bench, 'directory'>,
  work: (system: LiveSystem) => Promise<Finding>,
): Promise<Finding> =>
  onSystem(bench, { ...webKit({ waiting: 0 }), WEBKIT_RUNTIME_DIR: runtimeDir }, async (system) => {
    const [site, watchers] = await Promise.all([serveClock(), startWatchers()]);
    try {
      return await work({
        ...system,
        ...(await openRoom(system, site.url)),
        watchers,
        touched: site.touched,
      });
    } finally {
      await watchers.close();
      await site.close();
    }
  });

async function openRoom({ client }: SystemUnderTest, site: string) {
  const session = await client.create();
  const call = async (path: string, body: object) =>
    JSON.parse((await client.call('POST', path, body)).text) as Record<string, unknown>;
  const open = async (query: string) =>
    void (await call(`/v1/sessions/${session}/navigate`, { url: `${site}/?${query}` }));
  await open('');
  const made = await call('/v1/agent-sessions', { mode: 'manual', service_session_id: session });
  const on = (path: string, body: object) => call(`/v1/agent-sessions/${String(made.id)}${path}`, body);
  const link = async () => {
    const { token } = await on('/links', { right: 'watch', ttl_seconds: 3_600 });
    return (await call('/v1/agent-session-links/open', { token })).video as VideoBlock;
  };
  return {
    open,
    video: async () => (await on('/video-token', {})) as unknown as VideoBlock,
    links: async (count: number) => {
      const all: VideoBlock[] = [];
      for (let index = 0; index < count; index += 1) all.push(await link());
      return all;
    },
  };
}
