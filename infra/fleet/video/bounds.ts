/** Limits of a participant, a room and a node of live view. Times in milliseconds, sizes in bytes. */
export const bounds = {
  /** Participants of a room, and of all rooms of a node. */
  ofRoom: 64,
  ofNode: 512,
  /** Messages on a signalling socket: size, burst, and rate per second. */
  signal: { bytes: 64 * 1024, burst: 200, perSecond: 50 },
  /** Size of a message on a socket for pictures: the longest topic and payload in base64, of which some characters are escaped. */
  frames: { bytes: 96 * 1024 },
  /** Data messages: payload size, burst, and rate per second. Those beyond are dropped; after `mostDropped` the participant is removed. */
  data: { bytes: 64 * 1024, burst: 600, perSecond: 300, mostDropped: 1_000 },
  /** Bytes of all data messages of a participant. */
  dataBytes: { burst: 1024 * 1024, perSecond: 256 * 1024 },
  /**
   * Descriptions of connections: characters, media sections of one and of all together, burst, and rate per second. The process of the
   * node spends about a millisecond on each section. Libraries send a few, with three sections at most. `words` of a line, and the product
   * of lines of codecs and of `feedback`: a browser's offer has some 60 words in its longest line, and a product of 13,000.
   */
  descriptions: {
    ...{ characters: 48 * 1024, sections: 16, words: 256, feedback: 64 * 1024 },
    ...{ burst: 30, perSecond: 1 },
  },
  /**
   * RTCP of a participant: datagrams, packets of one, those that are used and bytes of each, streams that one reports on, entries of a list of
   * lost packets, and entries of all lists. An entry may make the node send 17 packets again. Browsers send some ten datagrams a second, and
   * more only while much is lost.
   */
  reports: {
    datagrams: { burst: 200, perSecond: 100 },
    ...{ packets: 16, used: 4, usedBytes: 64, streams: 2, mostEntries: 16 },
    entries: { burst: 128, perSecond: 64 },
  },
  /** Attributes of a participant: number, and characters of a name and of a value. */
  attributes: { most: 16, name: 64, value: 256 },
  /**
   * Data queued for a participant. Beyond `reliable` it is disconnected; beyond `lossy` and `picture`, data and
   * pictures are dropped. `backlog`: packets before it is connected; beyond that, they are discarded until the next key
   * frame.
   */
  waiting: { reliable: 1024 * 1024, lossy: 64 * 1024, packets: 256, backlog: 128, picture: 512 * 1024 },
  /** What the ports of a participant's connection accept. The rest is dropped. */
  ports: {
    /** Number of candidates in its descriptions, and of all of its addresses. */
    named: 64,
    addresses: 128,
    /**
     * Bytes of a datagram, and of everything that a TCP connection sends before its check. DTLS records of a datagram.
     */
    datagramBytes: 4 * 1024,
    records: 16,
    /** Bytes of all records of its handshakes. A handshake has 3 KiB, and is repeated some ten times. */
    handshakeBytes: 128 * 1024,
    /** Connectivity checks: libraries send up to 50 a second. */
    checks: { burst: 500, perSecond: 100 },
    /** TCP connections of a port, and the time limit of a connection for its check. */
    sockets: 16,
    strangerMs: 10_000,
  },
  /** How long a removed participant may not join again. */
  outMs: 10_000,
  /** Time without any message or pong after which a socket counts as broken. */
  silenceMs: 30_000,
  /** How long a participant whose socket broke may take to return. */
  returnMs: 5_000,
  /** Time limit from a join to the media connection. */
  connectMs: 20_000,
} as const;

/** Token bucket: returns whether a cost is within the rate, and deducts it. */
export function createAllowance({ burst, perSecond }: { burst: number; perSecond: number }) {
  let left = burst;
  let at = performance.now();
  return (cost = 1): boolean => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - at) / 1_000) * perSecond);
    at = now;
    if (left < cost) return false;
    left -= cost;
    return true;
  };
}

/** What becomes of a message: it is within the limits, is dropped, or its sender is removed. */
export type Admitted = 'passed' | 'dropped' | 'exceeded';

/** Judges a participant's signalling messages. */
export function createSignalAllowance(): () => Admitted {
  const allowed = createAllowance(bounds.signal);
  return () => (allowed() ? 'passed' : 'exceeded');
}

/** Judges a participant's data messages by their sizes in bytes. */
export function createDataAllowance(): (bytes: number) => Admitted {
  const mayData = createAllowance(bounds.data);
  const mayBytes = createAllowance(bounds.dataBytes);
  let dropped = 0;
  return (bytes) => {
    if (mayData() && mayBytes(bytes)) return 'passed';
    dropped += 1;
    return dropped > bounds.data.mostDropped ? 'exceeded' : 'dropped';
  };
}
