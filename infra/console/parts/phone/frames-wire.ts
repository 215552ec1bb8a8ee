import type { Ended, Hears, Ticket, Wire } from './wire.ts';

const why: Readonly<Record<string, Ended>> = {
  replaced: 'replaced',
  'browser-ended': 'ended',
  'node-ending': 'moving',
  removed: 'removed',
  misbehaved: 'removed',
};

type Message = { readonly topic: string; readonly payload: string } | { readonly ended: string };

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Draws pictures on arrival, and counts them. */
function painter(canvas: HTMLCanvasElement, hears: Hears) {
  let shown = 0;
  const paint = async (picture: Blob) => {
    const bitmap = await createImageBitmap(picture);
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
      hears.size(bitmap.width, bitmap.height);
    }
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    shown += 1;
  };
  return { paint, shown: () => shown };
}

/** Joins with pictures over a WebSocket, for networks that block media. */
export function joinFrames(
  { ws_url, token }: Ticket,
  canvas: HTMLCanvasElement,
  hears: Hears,
): Promise<Wire> {
  const socket = new WebSocket(`${ws_url}/frames?access_token=${encodeURIComponent(token)}`);
  socket.binaryType = 'blob';
  const { paint, shown } = painter(canvas, hears);
  let isClosed = false;
  let over: Ended = 'lost';
  const wire: Wire = {
    kind: 'pictures',
    send: (topic, payload) => {
      if (socket.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ topic, payload: base64Of(payload) }));
    },
    frames: () => Promise.resolve(shown()),
    close: () => {
      isClosed = true;
      socket.close(1000);
    },
  };
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(wire));
    socket.addEventListener('message', ({ data }: MessageEvent<Blob | string>) => {
      if (typeof data !== 'string') return void paint(data).catch(() => undefined);
      const message = JSON.parse(data) as Message;
      if ('ended' in message) over = why[message.ended] ?? 'lost';
      else if ('topic' in message) hears.data(message.topic, bytesOf(message.payload));
    });
    socket.addEventListener('close', () => {
      // Has an effect only if the socket never opened.
      reject(new Error('closed'));
      if (!isClosed) hears.ended(over);
    });
  });
}
