import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';
import { startPart } from './parts.js';

/** Starts the X server. `ready` waits until it listens and connects GTK to it; load libraries before you call it. */
export function startDisplay(command) {
  const server = startPart(command, Gio.SubprocessFlags.STDOUT_PIPE);
  const output = new Gio.DataInputStream({ base_stream: server.get_stdout_pipe() });
  return {
    // Kept for the life of the browser: the server would not survive a closed pipe.
    output,
    ready: () => {
      const [number] = output.read_line_utf8(null);
      if (number === null) throw new Error('The display did not start.');
      GLib.setenv('DISPLAY', `:${number}`, true);
    },
  };
}
