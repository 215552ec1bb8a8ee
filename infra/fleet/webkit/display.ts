import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archetype } from '../../../contracts/resources/archetype.ts';

/** Screen properties that a browser has for life. The rest of an identity can be set later. */
export type Device = Pick<Archetype, 'screen' | 'device_pixel_ratio'>;

/**
 * The X server of one browser, as the browser's host starts it. Clipboard, selections and focus belong to a display:
 * each browser has its own.
 */
export interface Display {
  /** Command line. The server writes the number of the display to its standard output once it listens. */
  readonly command: readonly string[];
  /** Value of `XAUTHORITY` for clients of the display. */
  readonly environment: Readonly<Record<string, string>>;
  /** Size in device pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** Sockets for touch and key events, in the protocol of the X server's `inputtest` driver. */
  readonly touchscreen: string;
  readonly keyboard: string;
}

/**
 * An X server with a screen in memory, a touchscreen and a keyboard. It listens on unix sockets only, requires a cookie
 * that is written to the browser's directory, and exits with its last client. `keymap`: directory of the keymap;
 * default: the installed one.
 */
export async function prepareDisplay(
  binary: string,
  directory: string,
  device: Device,
  keymap?: string,
): Promise<Display> {
  const paths = {
    authority: join(directory, 'authority'),
    configuration: join(directory, 'display.conf'),
    touchscreen: join(directory, 'touch.sock'),
    keyboard: join(directory, 'keys.sock'),
  };
  const { screen, device_pixel_ratio: ratio } = device;
  const size = { width: screen.width * ratio, height: screen.height * ratio };
  await writeFile(paths.authority, authorityFile(randomBytes(16)), { mode: 0o600 });
  await writeFile(paths.configuration, configuration(size, paths, keymap));
  return {
    command: [
      ...[binary, '-displayfd', '1', '-terminate', '-auth', paths.authority, '-nolisten', 'tcp'],
      ...['-nolisten', 'local', '-config', paths.configuration, '-logfile', '/dev/null', '-verbose', '0'],
      ...(keymap === undefined ? [] : ['-xkbdir', keymap]),
    ],
    environment: { XAUTHORITY: paths.authority },
    size,
    touchscreen: paths.touchscreen,
    keyboard: paths.keyboard,
  };
}

/** A screen of exactly the size that media queries report. It is only memory. */
function configuration(
  { width, height }: Display['size'],
  { touchscreen, keyboard }: Pick<Display, 'touchscreen' | 'keyboard'>,
  keymap?: string,
): string {
  const timing = (size: number) => [size, size + 1, size + 2, size + 3].join(' ');
  const virtual = section('SubSection', 'Display', [`Virtual ${width} ${height}`, 'Modes "phone"']);
  return [
    section('Section', 'ServerFlags', [
      ...[
        'Option "AutoAddDevices" "false"',
        'Option "AutoEnableDevices" "false"',
        'Option "AutoAddGPU" "false"',
      ],
    ]),
    // These extensions would load Mesa and LLVM, which take most of the memory and half of the start time. The browser
    // draws without them.
    section('Section', 'Module', ['Disable "glx"', 'Disable "dri"', 'Disable "dri2"']),
    section('Section', 'Device', [
      ...[
        'Identifier "memory"',
        'Driver "dummy"',
        `VideoRam ${Math.ceil(((width + 64) * height * 4) / 1024)}`,
      ],
    ]),
    section('Section', 'Monitor', [
      ...['Identifier "panel"', 'HorizSync 1-2000', 'VertRefresh 1-1000'],
      `Modeline "phone" 180 ${timing(width)} ${timing(height)}`,
    ]),
    section('Section', 'Screen', [
      ...['Identifier "screen"', 'Device "memory"', 'Monitor "panel"', 'DefaultDepth 24', virtual],
    ]),
    input('touchscreen', 'Touch', touchscreen, ['Option "TouchCount" "10"']),
    // WebKit derives `KeyboardEvent.code` from Linux key codes, which the installed default rules do not give.
    input('keyboard', 'Keyboard', keyboard, keymap === undefined ? ['Option "xkb_rules" "evdev"'] : []),
    section('Section', 'ServerLayout', [
      ...['Identifier "phone"', 'Screen "screen"'],
      ...['InputDevice "touchscreen" "SendCoreEvents"', 'InputDevice "keyboard" "CoreKeyboard"'],
    ]),
  ].join('');
}

const input = (name: string, type: string, socket: string, options: readonly string[]): string =>
  section('Section', 'InputDevice', [
    ...[`Identifier "${name}"`, 'Driver "inputtest"'],
    ...[`Option "DeviceType" "${type}"`, `Option "SocketPath" "${socket}"`, ...options],
  ]);

const section = (kind: 'Section' | 'SubSection', name: string, lines: readonly string[]): string =>
  [`${kind} "${name}"`, ...lines, `End${kind}`, ''].join('\n');

/**
 * Makes an authority file with one MIT-MAGIC-COOKIE-1 entry for any address, in the format of Xau(3): a big-endian length before
 * each field.
 */
function authorityFile(cookie: Buffer): Buffer {
  const anyAddress = Buffer.from([0xff, 0xff]);
  const part = (content: Buffer) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(content.length);
    return Buffer.concat([length, content]);
  };
  const empty = Buffer.alloc(0);
  const name = Buffer.from('MIT-MAGIC-COOKIE-1');
  return Buffer.concat([anyAddress, part(empty), part(empty), part(name), part(cookie)]);
}
