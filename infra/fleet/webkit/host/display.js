import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';
import { startPart } from './parts.js';

/** Starts the X server. `ready` waits until it listens and has GTK draw on it; what can be loaded meanwhile should be. */
export function startDisplay(command) {
  const server = startPart(command, Gio.SubprocessFlags.STDOUT_PIPE);
  const output = new Gio.DataInputStream({ base_stream: server.get_stdout_pipe() });
  return {
    // Held for as long as the browser runs: the server would not survive a closed pipe.
    output,
    ready: () => {
      const [number] = output.read_line_utf8(null);
      if (number === null) throw new Error('The display did not start.');
      GLib.setenv('DISPLAY', `:${number}`, true);
    },
  };
}
