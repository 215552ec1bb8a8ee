import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';
import { CommandFailed } from './channel.js';

/** Microseconds between two words to an encoder that something may have changed: it goes on for longer than that after each. */
const tellEvery = 100_000;

/**
 * What the window shows, to those who watch it: an encoder for each form that it is wanted in, a process of its own. While nobody
 * watches, nothing is drawn.
 */
export function createPicture(command) {
  /** By form. */
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
        // It is ending, or has been told so often that it knows.
      }
    }
  };
  return {
    /** Whether what is about to be drawn is wanted by anybody. */
    draws: () => {
      if (encoders.size === 0) return false;
      tell();
      return true;
    },
    /** In the place of an encoder for the same form. Answers with the size of what it shows, in CSS pixels. */
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
      // What was not drawn is drawn now.
      window.queue_draw();
      return size;
    },
    unwatch: end,
  };
}
