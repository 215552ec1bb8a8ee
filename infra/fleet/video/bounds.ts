/** What one participant, one room and one node of live view may have. Times in milliseconds, sizes in bytes. */
export const bounds = {
  /** Participants of a room, and of all rooms of a node. */
  ofRoom: 64,
  ofNode: 512,
  /** A message on a signalling socket, and how many of them come: so many at once, and a second. */
  signal: { bytes: 64 * 1024, burst: 200, perSecond: 50 },
  /** The payload of a data message, and how many of them come. Those beyond are dropped; whoever goes on for so many is put out. */
  data: { bytes: 64 * 1024, burst: 600, perSecond: 300, mostDropped: 1_000 },
  /** Of all data messages of a participant. */
  dataBytes: { burst: 1024 * 1024, perSecond: 256 * 1024 },
  /** Attributes of a participant: how many, and the characters of a name and of a value. */
  attributes: { most: 16, name: 64, value: 256 },
  /** What may wait to be sent to a participant: reliable data, beyond which it is put out; lossy data and pictures, which are dropped; packets
   * before it is connected, beyond which it waits for another key frame. */
  waiting: { reliable: 1024 * 1024, lossy: 64 * 1024, packets: 256, backlog: 128, picture: 512 * 1024 },
  /** For how long whoever was put out may not join again. */
  outMs: 10_000,
  /** A socket that says nothing, not even that it is there. */
  silenceMs: 30_000,
  /** How long a participant whose socket broke may take to come back. */
  returnMs: 5_000,
  /** A join that does not come to a connection of media. */
  connectMs: 20_000,
} as const;

/** So many at once, and so many a second after that. */
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
