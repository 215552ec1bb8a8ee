import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';

/** A port of this browser's loopback, which is not the node's. */
export const port = (number) => Gio.InetSocketAddress.new_from_string('127.0.0.1', number);
/** A socket in this browser's directory, which the node sees too. */
export const socket = (path) => Gio.UnixSocketAddress.new(path);

/** Forwards connections from one address to the other. These are the only connections between node and browser. */
export function relay(from, to) {
  const service = new Gio.SocketService();
  service.add_address(from, Gio.SocketType.STREAM, Gio.SocketProtocol.DEFAULT, null);
  service.connect('incoming', (_service, near) => {
    new Gio.SocketClient().connect_async(to, null, (client, result) => {
      try {
        join(near, client.connect_finish(result));
      } catch {
        near.close(null);
      }
    });
    return true;
  });
  service.start();
  return service;
}

/** When one side ends, the other is closed. */
function join(near, far) {
  const { CLOSE_STREAM1, CLOSE_STREAM2 } = Gio.IOStreamSpliceFlags;
  near.splice_async(far, CLOSE_STREAM1 | CLOSE_STREAM2, GLib.PRIORITY_DEFAULT, null, null);
}
