import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';
import { CommandFailed } from './channel.js';

/** Microseconds between two notifications of an encoder about possible changes. After each it sends frames for longer than that. */
const tellEvery = 100_000;

/** Shows the window to its watchers: a separate encoder process for each format. Without watchers nothing is drawn. */
export function createPicture(command) {
  /** Encoders by format. */
  const encoders = new Map();
  let told = 0;

  const end = (kind) => {
    encoders.get(kind)?.force_exit();
    encoders.delete(kind);
  };
  const tell = () => {
    const now = GLib.get_monotonic_time();
    if (now - told < tellEvery) return;
    told = now;
    for (const encoder of encoders.values()) {
      try {
        encoder.get_stdin_pipe().write_nonblocking(new Uint8Array([1]), null);
      } catch {
        // The encoder is exiting, or its pipe is full of notifications already.
      }
    }
  };
  return {
    /** Whether to draw: only if there is an encoder, which is then notified. */
    draws: () => {
      if (encoders.size === 0) return false;
      tell();
      return true;
    },
    /** Starts an encoder, and replaces one of the same format. Returns the size of the window in CSS pixels. */
    watch: (window, { kind, ...how }) => {
      if (command === null) throw new CommandFailed('no_encoder', 'There is no encoder.');
      end(kind);
      const [width, height] = window.get_size();
      const scale = window.get_scale_factor();
      const size = { width, height };
      const shown = { width: width * scale, height: height * scale };
      const launcher = new Gio.SubprocessLauncher({ flags: Gio.SubprocessFlags.STDIN_PIPE });
      for (const [name, value] of Object.entries(command.environment)) launcher.setenv(name, value, true);
      const encoder = launcher.spawnv([
        ...command.argv,
        JSON.stringify({ ...how, kind, size, window: shown }),
      ]);
      encoders.set(kind, encoder);
      encoder.wait_async(null, () => {
        if (encoders.get(kind) === encoder) encoders.delete(kind);
      });
      // Draws what was skipped before.
      window.queue_draw();
      return size;
    },
    unwatch: end,
  };
}
