import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Type, closed } from '../../../contracts/schema.ts';
import { firstSignal } from '../../platform/first-signal.ts';
import type { Picture, PictureKind, PictureListener } from '../node/picture.ts';
import { shape } from '../shape.ts';
import { frameReader } from './framing.ts';
import type { HostChannel } from './host-channel.ts';
import type { Instance } from './instance.ts';
import { multipartReader } from './multipart.ts';
import { processNaming, processorSeconds } from './process-use.ts';

/** Time limit for the start of an encoder, in milliseconds. */
const startMs = 20_000;
/**
 * Maximal frames per second, initial bits per second, and maximal bytes of one unit. Encoders write RTP packets of 1200
 * bytes.
 */
const kinds = {
  vp8: { fps: 30, bitrate: 1_500_000, mostBytes: 1_500 },
  jpeg: { fps: 5, bitrate: 0, mostBytes: 1024 * 1024 },
} as const satisfies Record<PictureKind, object>;

const isSize = shape(
  closed({
    width: Type.Integer({ minimum: 1, maximum: 10_000 }),
    height: Type.Integer({ minimum: 1, maximum: 10_000 }),
  }),
);

interface Shown extends Pick<Instance, 'directory' | 'during'> {
  readonly host: Pick<HostChannel, 'send' | 'onGone'>;
}

/**
 * Starts an encoder for the browser's window. The data on its socket is untrusted, as a compromised browser can send
 * any: a unit that is not of this kind ends the picture.
 */
export async function showPicture(
  { host, directory, during }: Shown,
  kind: PictureKind,
  listener: PictureListener,
): Promise<Picture> {
  const { fps, bitrate } = kinds[kind];
  const path = join(directory, `${kind}.sock`);
  await rm(path, { force: true });
  const server = createServer().listen(path);
  await once(server, 'listening');
  const signal = firstSignal(AbortSignal.timeout(startMs), goneSignal(host));
  const unwatch = () => host.send('unwatch', { kind }, AbortSignal.timeout(startMs)).catch(() => undefined);
  try {
    const size = await host.send('watch', { kind, socket: path, fps, bitrate }, signal);
    if (!isSize.is(size)) throw new TypeError('This is no size of a window.');
    const socket = await encoderOn(server, signal);
    const spent = followEncoder(path);
    const close = follow(socket, kind, listener);
    // Has the CPU weight of an operation while it is watched, because people wait for it.
    void during(() => once(socket, 'close')).catch(() => undefined);
    const say = (line: string) => void (socket.writable && socket.write(`${line}\n`));
    return {
      size,
      key: () => say('key'),
      bitrate: (value) => say(`bitrate ${Math.round(value)}`),
      processorSeconds: spent,
      close: async () => {
        spent();
        close();
        await unwatch();
      },
    };
  } catch (error) {
    await unwatch();
    throw error;
  } finally {
    server.close();
  }
}

/** A signal that is aborted when the browser ends, so that the start of its encoder is not awaited any more. */
function goneSignal(host: Shown['host']): AbortSignal {
  const gone = new AbortController();
  host.onGone(() => gone.abort(new Error('The browser has ended.')));
  return gone.signal;
}

/** Returns a function for the processor seconds of the encoder on that socket, as last read. */
function followEncoder(path: string): () => number {
  const pid = processNaming(JSON.stringify(path));
  let last = 0;
  return () => (last = (pid && processorSeconds(pid)) ?? last);
}

async function encoderOn(server: Server, signal: AbortSignal): Promise<Socket> {
  const [socket] = (await once(server, 'connection', { signal })) as [Socket];
  return socket;
}

/** Passes units, and the end, to the listener until the returned function is called. */
function follow(socket: Socket, kind: PictureKind, listener: PictureListener): () => void {
  let isWanted = true;
  const take = (unit: Buffer) => listener.unit(unit);
  const { mostBytes } = kinds[kind];
  const read = kind === 'vp8' ? frameReader(mostBytes, take, 2) : multipartReader(mostBytes, take);
  socket.on('data', (chunk: Buffer) => {
    try {
      if (isWanted) read(chunk);
    } catch {
      socket.destroy();
    }
  });
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    if (isWanted) listener.ended();
    isWanted = false;
  });
  return () => {
    isWanted = false;
    socket.destroy();
  };
}
