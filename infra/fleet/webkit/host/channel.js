import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';
import { endBrowser } from './parts.js';

Gio._promisify(Gio.DataInputStream.prototype, 'read_line_async', 'read_line_finish_utf8');
const encoder = new TextEncoder();
/** Bytes that a message to the node may have: it ends browsers whose messages are longer. */
const mostBytes = 33 * 1024 * 1024;
/** Characters of what went wrong. */
const longestMessage = 2_000;

/** Why a command was not done; `code` tells the node which sentence of its own says so. */
export class CommandFailed extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const describe = (error) => ({
  code: String(error?.code ?? 'failed'),
  message: String(error?.message ?? error).slice(0, longestMessage),
  url: error?.url ?? null,
});

/** A message with its length before it, in four bytes. */
function frame(message) {
  const body = encoder.encode(JSON.stringify(message));
  if (body.length > mostBytes) throw new CommandFailed('too_large', 'The answer is too large.');
  const framed = new Uint8Array(4 + body.length);
  new DataView(framed.buffer).setUint32(0, body.length);
  framed.set(body, 4);
  return framed;
}

/**
 * JSON on a unix socket: `{id, command, input}` in, a line each, `{id, result}` or `{id, error}` out, events in between, each with its
 * length before it. `{cancel: id}` in: nobody waits for that command any longer. Each command is answered, a cancelled one too.
 */
export function createChannel(path, commands) {
  const client = new Gio.SocketClient();
  const connection = client.connect(Gio.UnixSocketAddress.new(path), null);
  const input = new Gio.DataInputStream({ base_stream: connection.get_input_stream() });
  const output = connection.get_output_stream();
  const send = (message) => output.write_all(frame(message), null);

  /** By the id of a running command: what stops it, for those that can be stopped. */
  const stops = new Map();

  const serve = async ({ id, command, input: argument }) => {
    try {
      const result = await commands[command](argument, (stop) => stops.set(id, stop));
      send({ id, result: result ?? null });
    } catch (error) {
      send({ id, error: describe(error) });
    } finally {
      stops.delete(id);
    }
  };
  const listen = async () => {
    for (;;) {
      const [line] = await input.read_line_async(GLib.PRIORITY_DEFAULT, null);
      // The node closed the socket or is gone: nothing is left to show pages for.
      if (line === null) return endBrowser(0);
      const message = JSON.parse(line);
      if ('cancel' in message) stops.get(message.cancel)?.();
      else void serve(message);
    }
  };
  listen().catch(() => endBrowser(1));
  // The connection is given back to be held: collected as garbage, it would close its streams under us.
  return { send, connection };
}
