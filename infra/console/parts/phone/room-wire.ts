import { DisconnectReason, Room, RoomEvent, setLogLevel, type RemoteTrack } from 'livekit-client';
import type { Ended, Hears, Ticket, Wire } from './wire.ts';

setLogLevel('silent');

const why: Partial<Record<DisconnectReason, Ended>> = {
  [DisconnectReason.DUPLICATE_IDENTITY]: 'replaced',
  [DisconnectReason.ROOM_DELETED]: 'ended',
  [DisconnectReason.SERVER_SHUTDOWN]: 'moving',
  [DisconnectReason.PARTICIPANT_REMOVED]: 'removed',
};

/** Time limit of a join in milliseconds: it may start a browser. */
const JOIN_MS = 15_000;
const LEAVE_MS = 2_000;

/**
 * Joins by WebRTC. Resolves with the first picture; leaves the room and rejects if the join is refused or no picture arrives in
 * time.
 */
export async function joinRoom(
  { ws_url, token }: Ticket,
  video: HTMLVideoElement,
  hears: Hears,
  withinMs: number,
): Promise<Wire> {
  const room = new Room();
  let track: RemoteTrack | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error('late'));
    room.on(RoomEvent.SignalConnected, () => (timer = setTimeout(giveUp, withinMs)));
  });
  room.on(RoomEvent.TrackSubscribed, (subscribed) => {
    track = subscribed;
    track.attach(video);
  });
  room.on(RoomEvent.DataReceived, (payload, _from, _kind, topic = '') => hears.data(topic, payload));
  const seen = pictureIn(video, hears);
  try {
    const limits = { maxRetries: 0, websocketTimeout: JOIN_MS, peerConnectionTimeout: withinMs };
    await Promise.race([room.connect(ws_url, token, limits), late]);
    await Promise.race([seen, late]);
  } catch (error) {
    // Without WebRTC the library may never finish leaving; the next join with the same identity ends this one.
    await Promise.race([room.disconnect(), new Promise((resolve) => setTimeout(resolve, LEAVE_MS))]);
    throw error;
  } finally {
    clearTimeout(timer);
  }
  room.on(RoomEvent.Disconnected, (reason = DisconnectReason.UNKNOWN_REASON) => {
    if (reason !== DisconnectReason.CLIENT_INITIATED) hears.ended(why[reason] ?? 'lost');
  });
  return {
    kind: 'video',
    send: (topic, payload) =>
      // A failure to send shows in the end of the connection.
      void room.localParticipant.publishData(payload, { topic, reliable: true }).catch(() => undefined),
    frames: async () => decoded(await track?.getRTCStatsReport()),
    close: () => void room.disconnect(),
  };
}

function pictureIn(video: HTMLVideoElement, hears: Hears): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (video.videoWidth === 0) return;
      hears.size(video.videoWidth, video.videoHeight);
      resolve();
    };
    // Replaces the listener of an earlier connection.
    video.onloadeddata = look;
    video.onresize = look;
  });
}

function decoded(stats: RTCStatsReport | undefined): number {
  let frames = 0;
  stats?.forEach((each: { readonly type: string; readonly framesDecoded?: number }) => {
    if (each.type === 'inbound-rtp') frames = each.framesDecoded ?? frames;
  });
  return frames;
}
