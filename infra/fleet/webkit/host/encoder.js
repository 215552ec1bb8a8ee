/**
 * The encoder of a watched browser, run by `gjs -m` in the browser's namespaces. It writes what the window shows, as
 * RTP packets of VP8 or as JPEG, to a unix socket of the node. Lines on that socket are commands; a byte on standard
 * input says that something may have been drawn. It exits with the socket, and with the host.
 */
import Gio from 'gi://Gio?version=2.0';
import GLib from 'gi://GLib?version=2.0';
import Gst from 'gi://Gst?version=1.0';
import System from 'system';
import { collectAtOnce } from './collector.js';

collectAtOnce();
Gio._promisify(Gio.DataInputStream.prototype, 'read_line_async', 'read_line_finish_utf8');
Gio._promisify(Gio.InputStream.prototype, 'read_bytes_async', 'read_bytes_finish');

const { socket, kind, window, size, fps, bitrate } = JSON.parse(ARGV[0]);
/** Milliseconds for which frames continue after the last drawing, so that the picture becomes sharp. */
const lingerMs = 400;
/** Interval in milliseconds at which a still page is sent again. */
const stillMs = 2_000;
/** Milliseconds for which a still page is sent each time: enough for one frame. */
const glanceMs = 40;

const connection = new Gio.SocketClient().connect(Gio.UnixSocketAddress.new(socket), null);
const output = connection.get_socket().get_fd();

/** Queues hold one frame: a newer one replaces it when the node is slow. */
const waiting = 'queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0';
const encodings = {
  // One thread for each: two cores of a node are shared by all of its browsers. The buffer model keeps a change of
  // scene within 400 ms.
  vp8: `vp8enc name=encoder deadline=1 cpu-used=8 threads=1 end-usage=cbr target-bitrate=${bitrate} keyframe-max-dist=900
    lag-in-frames=0 error-resilient=default buffer-size=400 buffer-initial-size=300 buffer-optimal-size=350 undershoot=95
    max-quantizer=56 static-threshold=100
    ! rtpvp8pay mtu=1200 picture-id-mode=2 ! rtpstreampay`,
  jpeg: 'jpegenc name=encoder quality=60 idct-method=ifast ! multipartmux boundary=frame',
};

Gst.init(null);
const pipeline = Gst.parse_launch(
  `ximagesrc use-damage=false show-pointer=false startx=0 starty=0 endx=${window.width - 1} endy=${window.height - 1}
   ! video/x-raw,framerate=${fps}/1 ! ${waiting}
   ! videoconvertscale method=bilinear n-threads=1
   ! video/x-raw,format=I420,width=${size.width},height=${size.height},pixel-aspect-ratio=1/1
   ! ${encodings[kind]} ! fdsink name=sink fd=${output} sync=false`,
);
const encoder = pipeline.get_by_name('encoder');
const sink = pipeline.get_by_name('sink');

/** Number of frames sent to the node. */
const sent = () => sink.stats.get_uint64('rendered')[1];

let shown = { running: false, since: 0, until: 0, timer: 0 };
/** Pauses when the time is up, but not before a frame has been sent, which may take longer on a slow machine. */
const look = () => {
  const left = Math.ceil((shown.until - GLib.get_monotonic_time()) / 1_000);
  if (left <= 0 && sent() > shown.since) {
    pipeline.set_state(Gst.State.PAUSED);
    shown = { ...shown, running: false, timer: 0 };
  } else shown.timer = GLib.timeout_add(GLib.PRIORITY_DEFAULT, Math.max(left, 20), later);
};
const later = () => {
  look();
  return GLib.SOURCE_REMOVE;
};
/** Sends frames for at least that many milliseconds. */
const showFor = (ms) => {
  shown.until = Math.max(shown.until, GLib.get_monotonic_time() + ms * 1_000);
  shown.since = sent();
  if (!shown.running) {
    shown.running = true;
    pipeline.set_state(Gst.State.PLAYING);
  }
  if (shown.timer === 0) look();
};

const commands = {
  /** The next frame is a key frame. */
  key: () => {
    const structure = Gst.Structure.new_from_string(
      'GstForceKeyUnit, all-headers=(boolean)true, count=(uint)1',
    );
    if (structure !== null)
      encoder.send_event(Gst.Event.new_custom(Gst.EventType.CUSTOM_UPSTREAM, structure));
    showFor(lingerMs);
  },
  bitrate: (value) => {
    if (kind === 'vp8') encoder.set_property('target-bitrate', value);
  },
};

const end = (status) => System.exit(status);

const followNode = async () => {
  const input = new Gio.DataInputStream({ base_stream: connection.get_input_stream() });
  for (;;) {
    const [line] = await input.read_line_async(GLib.PRIORITY_DEFAULT, null);
    if (line === null) return;
    const [command, value] = line.split(' ');
    commands[command]?.(Number(value));
  }
};
const followHost = async () => {
  const input = new Gio.UnixInputStream({ fd: 0, close_fd: false });
  for (;;) {
    const bytes = await input.read_bytes_async(256, GLib.PRIORITY_DEFAULT, null);
    if (bytes.get_size() === 0) return;
    showFor(lingerMs);
  }
};
for (const follow of [followNode, followHost])
  follow().then(
    () => end(0),
    () => end(1),
  );

// Errors are polled from the bus, because the pipeline's threads must not call into this script.
const bus = pipeline.get_bus();
GLib.timeout_add(GLib.PRIORITY_DEFAULT, 250, () => {
  const message = bus.timed_pop_filtered(0, Gst.MessageType.ERROR | Gst.MessageType.EOS);
  if (message !== null) end(2);
  return GLib.SOURCE_CONTINUE;
});
GLib.timeout_add(GLib.PRIORITY_DEFAULT, stillMs, () => {
  showFor(glanceMs);
  return GLib.SOURCE_CONTINUE;
});
// VP8 begins with a key frame, which the following frames sharpen.
showFor(lingerMs);
new GLib.MainLoop(null, false).run();
