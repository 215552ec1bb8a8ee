import {
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
  url,
} from '../kinds.ts';
import { iceServers, ipAddresses, portRange } from '../video-kinds.ts';

/** The local node, and how nodes are watched. */
export const fleet = {
  DRIVER: standard(
    oneOf('webkit', 'simulated'),
    'webkit',
    'The browsers of the local node. `simulated` runs scripted pages without any browser.',
  ),
  NODE_CAPACITY: standard(integer(1, 1000), '32', 'Sessions the local node runs at once.'),
  NODE_NAME: standard(text, 'local', 'What the local node is called in `nodes list`.'),
  WARM_BROWSERS: standard(integer(0, 100), '1', 'Started browsers kept ready for the next create.'),
  NODE_MEMORY: optional(
    size,
    'Memory that all browsers of the local node may have together before it takes no more sessions; with a quarter more the browser that has the most is ended. When unset, the memory of the machine or its control group but for 2 GiB, and at least half of it.',
  ),
  BROWSER_MEMORY: standard(
    size,
    '1GiB',
    'Memory that the processes of one browser may have together, its X server included; one that has more is ended.',
  ),
  BROWSER_THREADS: standard(
    integer(200, 100_000),
    '1000',
    'Threads that the processes of one browser may have together; one that has more is ended. A quiet page has some 80.',
  ),
  BROWSER_DISK: standard(
    size,
    '2GiB',
    'What the directory of one browser may hold: what sites store, caches, downloads and captures under way; one that has more is ended. Each file counts for 16 KiB at least. A profile may bring 1.3 GiB, and downloads 256 MiB.',
  ),
  BROWSER_CONTROL_GROUPS: standard(
    boolean,
    'true',
    'Whether the kernel holds browsers to their memory, threads and share of the processors, where the node can make control groups; a watch holds them in any case. The node says at its start what holds each bound.',
  ),
  VIDEO: optional(
    oneOf('node', 'livekit', 'off'),
    'How browsers are watched: `node`, by the node itself through the gateway; `livekit`, on a LiveKit server of yours by `VIDEO_WS_URL` and its key. When unset, `livekit` where `VIDEO_WS_URL` is set, else `node`.',
  ),
  VIDEO_ADDRESS: optional(
    ipAddresses,
    'The addresses that people reach the local node by for video; those of its interfaces when unset.',
  ),
  VIDEO_UDP_PORTS: standard(
    portRange,
    '40000-40999',
    'The UDP ports of video, and for networks without UDP the TCP ports. Each participant takes two to eight.',
  ),
  VIDEO_ICE_SERVERS: standard(
    iceServers,
    '[]',
    'TURN and STUN servers that participants are told of, as JSON: `[{"urls": ["turn:turn.example:3478"], "username": "u", "credential": "c"}]`.',
  ),
  VIDEO_PEER_ALLOW: standard(
    cidrs,
    '',
    'Private ranges that a participant may name as its own addresses. Without it the node answers there all the same once packets have come from there.',
  ),
  HEARTBEAT_INTERVAL: standard(duration, '2s', 'How often a node says that it lives.'),
  NODE_STALE_AFTER: standard(duration, '15s', 'A node silent for this long gets no new sessions.'),
  NODE_LOST_AFTER: standard(
    duration,
    '30s',
    'A node silent for this long is lost and its sessions are errored.',
  ),
  OUTBOUND_ALLOW: standard(
    cidrs,
    '',
    'Private ranges that pages may be loaded from (but never from what the service itself listens on: its roles, stores, nodes and browsers), and that webhooks may be sent to, there by plain http and at any port too; for development. The same for every role.',
  ),
  NODE_OPERATION_GRACE: standard(
    duration,
    '14s',
    'How long past its timeout an operation may take to be stopped, and its browser to answer, before the node gives the browser up; a little below `OPERATION_TIMEOUT_GRACE`.',
  ),
  NODE_CONNECT: standard(
    oneOf('listen', 'dial'),
    'listen',
    'How the control plane reaches the node: `listen`, at `NODE_URL`; `dial`, over one connection that the node opens to each write-api at `WRITE_URL`, for a node that cannot be reached from outside. `NODE_URL`, `NODE_ADDRESS` and `NODE_PORT` are then unused, and nothing listens but its health.',
  ),
  NODE_ADDRESS: optional(
    text,
    'The name or address by which the control plane reaches the machine of the node; `INTERNAL_HOST` when unset.',
  ),
  NODE_URL: optional(
    url('http', 'https'),
    'Where the control plane reaches the node; `NODE_ADDRESS` and `NODE_PORT` when unset.',
  ),
  DRIVER_LOG: optional(
    path,
    'A file that gets one JSON line for each thing that reached the driver; for tests and audits of the fleet.',
  ),
  WEBKIT_RUNTIME_DIR: optional(
    path,
    'Holds the directories of running browsers; a short path. One below the temporary directory of the system when unset.',
  ),
  WEBKIT_GJS_BINARY: standard(
    path,
    '/usr/bin/gjs',
    'What runs our browser host; an own WebKit build drops in here. What it loads must be below `/usr` or `/opt`; it alone may be elsewhere.',
  ),
  WEBKIT_XORG_BINARY: standard(
    path,
    '/usr/lib/xorg/Xorg',
    'The X server that browsers draw on and are touched by, with its drivers `dummy` and `inputtest`.',
  ),
  SEARCH_ENGINES: standard(
    searchEngines,
    '{}',
    'What the search operation may ask, the first one by default. Without any it answers 503.',
  ),
} as const;
