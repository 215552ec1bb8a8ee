import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';
import { endBrowser } from './parts.js';

Gio._promisify(Gio.DataInputStream.prototype, 'read_line_async', 'read_line_finish_utf8');
const encoder = new TextEncoder();
/** Maximal size of a message to the node, in bytes. The node ends browsers that exceed it. */
const mostBytes = 33 * 1024 * 1024;
/** Maximal bytes of it beside strings, likewise: small values take twenty times as much of the node's memory and time as text. */
const mostBeside = 4 * 1024 * 1024;
const [quote, backslash] = [0x22, 0x5c];
/** Maximal length of an error message, in characters. */
const longestMessage = 2_000;

/** A command failed. `code` selects the message that the node gives to the client. */
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

/** Whether the text of a message is larger than the node takes. */
const isTooLarge = (json) =>
  json.length > mostBytes || (json.length > mostBeside && bytesBesideStrings(json) > mostBeside);

/** Bytes that are not within strings; quotes count. The node has the same function. */
function bytesBesideStrings(json) {
  let count = 0;
  let isWithin = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) isWithin = !isWithin;
    if (!isWithin || byte === quote) count += 1;
    else if (byte === backslash) at += 1;
  }
  return count;
}

/** A message with its length in front, in four bytes. */
function frame(message) {
  const body = encoder.encode(JSON.stringify(message));
  if (isTooLarge(body)) throw new CommandFailed('too_large', 'The answer is too large.');
  const framed = new Uint8Array(4 + body.length);
  new DataView(framed.buffer).setUint32(0, body.length);
  framed.set(body, 4);
  return framed;
}

/**
 * JSON over a unix socket. In: `{id, command, input}` on a line each, and `{cancel: id}` when the caller has given up.
 * Out: `{id, result}` or `{id, error}` for every command, cancelled ones too, and events in between, each with its
 * length in front.
 */
export function createChannel(path, commands) {
  const client = new Gio.SocketClient();
  const connection = client.connect(Gio.UnixSocketAddress.new(path), null);
  const input = new Gio.DataInputStream({ base_stream: connection.get_input_stream() });
  const output = connection.get_output_stream();
  const send = (message) => output.write_all(frame(message), null);

  /** The cancel functions of running commands, by id, for those that can be cancelled. */
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
      // The node closed the socket or has exited: the browser exits.
      if (line === null) return endBrowser(0);
      const message = JSON.parse(line);
      if ('cancel' in message) stops.get(message.cancel)?.();
      else void serve(message);
    }
  };
  listen().catch(() => endBrowser(1));
  // The caller must keep a reference to the connection: when it is garbage-collected, its streams close.
  return { send, connection };
}
