import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** GStreamer elements that `host/encoder.js` uses, by Debian package. */
const elements = {
  'gstreamer1.0-plugins-base': ['videoconvertscale'],
  'gstreamer1.0-plugins-good': [
    'ximagesrc',
    'vp8enc',
    'rtpvp8pay',
    'rtpstreampay',
    'jpegenc',
    'multipartmux',
  ],
} as const;

/** Typelibs that `gi://Gst` needs. */
const bindings = 'gir1.2-gstreamer-1.0';

const packages = [bindings, ...Object.keys(elements)];

/** Prints those of its arguments for which GStreamer has no element. */
const probe = `
  import Gst from 'gi://Gst?version=1.0';
  Gst.init(null);
  print(ARGV.filter((name) => Gst.ElementFactory.find(name) === null).join(' '));
`;

/** The file of GStreamer's plugin registry, or the reason why windows cannot be shown. */
export type EncoderRegistry = { readonly encoderRegistry: string } | { readonly shownNothing: string };

const listed = new Map<string, Promise<EncoderRegistry>>();

/**
 * Makes GStreamer list its plugins once, into a file in a directory that only this user can write. Otherwise each
 * encoder would scan all plugins, which takes a second, and write a list, which browsers are not allowed to do. Later
 * nodes of this machine reuse the list, and GStreamer updates it.
 */
export function listEncoders(gjs: string, directory: string): Promise<EncoderRegistry> {
  const known = listed.get(gjs) ?? list(gjs, directory);
  listed.set(gjs, known);
  return known;
}

async function list(gjs: string, directory: string): Promise<EncoderRegistry> {
  const path = join(directory, 'gstreamer');
  const script = join(directory, 'probe.js');
  await writeFile(script, probe, { mode: 0o600 });
  try {
    const { stdout } = await promisify(execFile)(gjs, ['-m', script, ...Object.values(elements).flat()], {
      timeout: 60_000,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', HOME: directory, GST_REGISTRY: path },
    });
    const lacking = stdout.trim();
    return lacking === '' ? { encoderRegistry: path } : without(`GStreamer has no ${lacking}.`);
  } catch (error) {
    const [line = ''] = error instanceof Error ? error.message.split('\n').slice(-2) : [];
    return without(`GStreamer cannot be used: ${line}`);
  }
}

const without = (why: string): EncoderRegistry => ({
  shownNothing: `${why} Install it with\n  apt-get install --no-install-recommends ${packages.join(' ')}`,
});
