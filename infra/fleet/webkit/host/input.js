import Gdk from 'gi://Gdk?version=3.0';
import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';

Gio._promisify(Gio.InputStream.prototype, 'read_bytes_async', 'read_bytes_finish');

/**
 * Messages of the X server's `inputtest` driver: total length and type, then the fields of the type. Native byte order.
 */
const types = { version: 0, sync: 1, key: 5, touch: 6 };
const protocol = { major: 1, minor: 1 };
/** Event types of XInput. */
const phases = { down: 18, move: 19, up: 20 };
/** Range of the driver's axes: 0 to this. */
const axisEnd = 0xffff;
const valuators = 64;

function message(type, length, write) {
  const view = new DataView(new ArrayBuffer(8 + length));
  view.setUint32(0, 8 + length, true);
  view.setUint32(4, type, true);
  write?.(view);
  return new Uint8Array(view.buffer);
}

const version = () =>
  message(types.version, 4, (view) => {
    view.setUint16(8, protocol.major, true);
    view.setUint16(10, protocol.minor, true);
  });

const key = (code, down) =>
  message(types.key, 8, (view) => {
    view.setInt32(8, code, true);
    view.setUint32(12, down ? 1 : 0, true);
  });

/**
 * After the ids come one flag, a bit for each axis that has a value, padding, all values, and as many unaccelerated
 * ones, which are left zero.
 */
const touch = (id, phase, x, y) =>
  message(types.touch, 8 + 16 + 2 * 8 * valuators, (view) => {
    view.setUint32(8, id, true);
    view.setUint32(12, phase, true);
    view.setUint8(20, 0b11);
    view.setFloat64(32, x, true);
    view.setFloat64(40, y, true);
  });

/** Opens one device of the X server, which accepts a single connection in its life. */
function open(path) {
  const connection = new Gio.SocketClient().connect(Gio.UnixSocketAddress.new(path), null);
  const output = connection.get_output_stream();
  const input = connection.get_input_stream();
  const send = (bytes) => output.write_all(bytes, null);
  send(version());
  input.read_bytes(12, null);
  return {
    // Kept referenced: garbage collection would close it.
    connection,
    send,
    /** Resolves once the X server has passed on everything that was sent. */
    passed: async () => {
      send(message(types.sync, 0));
      await input.read_bytes_async(8, GLib.PRIORITY_DEFAULT, null);
    },
  };
}

/** `began` is called before each touch. */
export function openTouchscreen({ path, width, height, scale }, began) {
  const device = open(path);
  /** By finger number: the id of its touch, and its last point. */
  const fingers = new Map();
  /** A new id for each touch, so that the X server does not take it for one that has just ended. */
  let lastTouch = 0;
  // Half a pixel in: a coordinate on a pixel's edge would be rounded to its neighbour.
  const onAxis = (css, pixels) => Math.min(axisEnd, ((Math.round(css * scale) + 0.5) / pixels) * axisEnd);
  const put = (finger, type, x, y) => {
    if (type === 'down') began();
    const begun = fingers.get(finger);
    const { id } = begun ?? { id: (lastTouch += 1) };
    const at = type === 'up' ? begun : { x, y };
    device.send(touch(id, phases[type], onAxis(at.x, width), onAxis(at.y, height)));
    if (type === 'up') fingers.delete(finger);
    else fingers.set(finger, { id, x, y });
  };
  return {
    put,
    passed: device.passed,
    fingers: () => fingers.size,
    lift: () => [...fingers.keys()].forEach((finger) => put(finger, 'up')),
  };
}

/** `began` is called before each key is pressed. */
export function openKeyboard({ path }, began) {
  const device = open(path);
  const keymap = Gdk.Keymap.get_for_display(Gdk.Display.get_default());
  const held = new Set();
  const put = (code, down) => {
    if (down) began();
    device.send(key(code, down));
    if (down) held.add(code);
    else held.delete(code);
  };
  // NumLock makes the key pad write digits.
  const [, [numLock]] = keymap.get_entries_for_keyval(Gdk.KEY_Num_Lock);
  put(numLock.keycode, true);
  put(numLock.keycode, false);
  /** Key code for a character or an X keysym name, and whether it needs Shift. */
  const find = (name) => {
    const isCharacter = Array.from(name).length === 1;
    const value = isCharacter ? Gdk.unicode_to_keyval(name.codePointAt(0)) : Gdk.keyval_from_name(name);
    const [, keys = []] = keymap.get_entries_for_keyval(value);
    const found = keys.find(({ group, level }) => group === 0 && level < 2);
    if (!found) throw new Error('There is no such key.');
    return { code: found.keycode, shifted: found.level === 1 };
  };
  return {
    put,
    /** Codes of keys that are pressed together, in their order; Shift comes first where one of them needs it. */
    chord(names) {
      const keys = names.map(find);
      const shift = keys.some(({ shifted }) => shifted) ? [find('Shift_L')] : [];
      return [...shift, ...keys].map(({ code }) => code);
    },
    release: () => [...held].reverse().forEach((code) => put(code, false)),
  };
}
