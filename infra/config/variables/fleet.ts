import {
  baseUrl,
  boolean,
  cidrs,
  duration,
  integer,
  oneOf,
  optional,
  path,
  searchEngines,
  size,
  standard,
  text,
} from '../kinds.ts';
import { iceServers, ipAddresses, portRange } from '../video-kinds.ts';

/** The local node, and the supervision of nodes. */
export const fleet = {
  DRIVER: standard(
    oneOf('webkit', 'simulated'),
    'webkit',
    'Browsers of the local node. `simulated` runs scripted pages without a browser.',
  ),
  SIMULATED_WINDOW: standard(
    oneOf('on', 'off'),
    'off',
    'Whether people can watch simulated browsers, by a white picture, and touch them; for tests.',
  ),
  NODE_CAPACITY: standard(integer(1, 1000), '32', 'Maximum concurrent sessions of the local node.'),
  NODE_NAME: standard(text, 'local', 'Name of the local node in `nodes list`.'),
  WARM_BROWSERS: standard(integer(0, 100), '1', 'Started browsers kept ready for the next create.'),
  NODE_MEMORY: optional(
    size,
    'Memory limit of all browsers of the local node, above which it accepts no more sessions; a quarter above it, the largest browser is ended. Default: the memory of the machine or its control group minus 2 GiB, but at least half of it.',
  ),
  BROWSER_MEMORY: standard(
    size,
    '1GiB',
    'Memory limit of one browser with all its processes, including its X server; a browser above it is ended.',
  ),
  BROWSER_THREADS: standard(
    integer(200, 100_000),
    '1000',
    'Thread limit of one browser with all its processes; a browser above it is ended. An idle page has about 80.',
  ),
  BROWSER_DISK: standard(
    size,
    '2GiB',
    "Disk limit of one browser's directory: sites' storage, caches, downloads and captures in progress; a browser above it is ended. Each file counts as at least 16 KiB. A profile may take 1.3 GiB, and downloads 256 MiB.",
  ),
  BROWSER_CONTROL_GROUPS: standard(
    boolean,
    'true',
    "Whether control groups limit browsers' memory, threads and share of the processors, if the node can create them; the node's own monitoring limits them in any case. The node logs at its start what enforces each limit.",
  ),
  VIDEO: optional(
    oneOf('node', 'livekit', 'off'),
    'Video of browsers: `node`, by the node itself through the gateway; `livekit`, by your LiveKit server at `VIDEO_WS_URL`, with its key. Default: `livekit` if `VIDEO_WS_URL` is set, else `node`.',
  ),
  VIDEO_ADDRESS: optional(
    ipAddresses,
    'Public addresses of the local node for video; default: those of its interfaces.',
  ),
  VIDEO_UDP_PORTS: standard(
    portRange,
    '40000-40999',
    'UDP ports of video, and TCP ports for networks without UDP. Each participant uses two to eight.',
  ),
  VIDEO_ICE_SERVERS: standard(
    iceServers,
    '[]',
    'TURN and STUN servers for participants, as JSON: `[{"urls": ["turn:turn.example:3478"], "username": "u", "credential": "c"}]`.',
  ),
  VIDEO_PEER_ALLOW: standard(
    cidrs,
    '',
    "Private ranges accepted in participants' ICE candidates. Others are used only after packets arrive from there.",
  ),
  HEARTBEAT_INTERVAL: standard(duration, '2s', "Interval of nodes' heartbeats."),
  NODE_STALE_AFTER: standard(
    duration,
    '15s',
    'A node without a heartbeat for this long gets no new sessions.',
  ),
  NODE_LOST_AFTER: standard(
    duration,
    '30s',
    'Lease of a node: without a heartbeat for this long it is lost, and its sessions are errored.',
  ),
  OUTBOUND_ALLOW: standard(
    cidrs,
    '',
    'Private ranges allowed for pages (except for addresses of the service itself: its roles, stores, nodes and browsers), and for webhooks, there also by plain http and on any port; for development. The same for every role.',
  ),
  NODE_OPERATION_GRACE: standard(
    duration,
    '14s',
    "Grace after an operation's timeout for the node to stop it and for the browser to answer, before the node gives the browser up; slightly below `OPERATION_TIMEOUT_GRACE`.",
  ),
  NODE_CONNECT: standard(
    oneOf('listen', 'dial'),
    'listen',
    'How the control plane reaches the node: `listen`, at `NODE_URL`; `dial`, over one connection that the node opens to each write-api at `WRITE_URL`, for a node that cannot be reached from outside. `NODE_URL`, `NODE_ADDRESS` and `NODE_PORT` are then unused, and nothing listens but its health.',
  ),
  NODE_ADDRESS: optional(
    text,
    'Host name or address of the node for the control plane; default: `INTERNAL_HOST`.',
  ),
  NODE_URL: optional(
    baseUrl,
    'URL of the node for the control plane; default: from `NODE_ADDRESS` and `NODE_PORT`.',
  ),
  DRIVER_LOG: optional(
    path,
    "A file to log each request to the driver, as a line of JSON, with the places of people's touches; for tests and audits of the fleet.",
  ),
  WEBKIT_RUNTIME_DIR: optional(
    path,
    "Parent directory of running browsers; a short path. Default: a directory in the system's temporary directory.",
  ),
  WEBKIT_GJS_BINARY: standard(
    path,
    '/usr/bin/gjs',
    'The interpreter of the browser host; replace it to use your own WebKit build. The libraries that it loads must be below `/usr` or `/opt`; the binary itself may be elsewhere.',
  ),
  WEBKIT_XORG_BINARY: standard(
    path,
    '/usr/lib/xorg/Xorg',
    "The X server for browsers' display and input, with its drivers `dummy` and `inputtest`.",
  ),
  SEARCH_ENGINES: standard(
    searchEngines,
    '{}',
    'Search engines of the search operation; the first is the default. Without any it answers 503.',
  ),
} as const;
