import Gio from 'gi://Gio?version=2.0';
import System from 'system';

const parts = [];

/** Starts another process of this browser. If one of them exits, all do. */
export function startPart(command, flags = Gio.SubprocessFlags.NONE) {
  const part = Gio.Subprocess.new(command, flags);
  parts.push(part);
  part.wait_async(null, () => endBrowser(1));
  return part;
}

export function endBrowser(status) {
  for (const part of parts) part.force_exit();
  System.exit(status);
}
