import { once } from 'node:events';
import {
  SessionDescription,
  SignalRequest,
  SignalResponse,
  SignalTarget,
  TrickleRequest,
} from '@livekit/protocol';
import { RTCPeerConnection } from 'werift';
import { WebSocket } from 'ws';
import { within } from '../../platform/timeout.ts';

/** A LiveKit participant that does not decode, so that only the node's cost is measured. */
export interface MediaParticipant {
  /** Video packets received. */
  packets(): number;
  /** Stays for so many milliseconds, unless the socket closes first. */
  stay(ms: number): Promise<void>;
  leave(): Promise<void>;
}

/** Time limit for the first packet, in milliseconds. */
const firstPacketMs = 30_000;

/** Joins, and resolves with the first packet. */
export async function joinByMedia({ ws_url, token }: { readonly ws_url: string; readonly token: string }) {
  const socket = new WebSocket(`${ws_url}/rtc?access_token=${token}`);
  socket.on('error', () => undefined);
  const connection = new RTCPeerConnection({ iceServers: [] });
  let packets = 0;
  const first = new Promise<void>((resolve) => {
    connection.onTrack.subscribe((track) => {
      track.onReceiveRtp.subscribe(() => {
        packets += 1;
        resolve();
      });
    });
  });
  negotiate(socket, connection);
  const leave = async () => {
    socket.close(1001);
    await connection.close();
  };
  const closed = once(socket, 'close').then(() => Promise.reject(new Error('The socket was closed.')));
  // Unhandled until it is waited for.
  closed.catch(() => undefined);
  try {
    await once(socket, 'open');
    await within(firstPacketMs, Promise.race([first, closed]));
  } catch (error) {
    await leave();
    throw error;
  }
  const participant: MediaParticipant = {
    packets: () => packets,
    stay: (ms) => within(ms, closed).catch(() => undefined),
    leave,
  };
  return participant;
}

/** Answers the node's offer, and tells it of our addresses. */
function negotiate(socket: WebSocket, connection: RTCPeerConnection): void {
  const send = (message: SignalRequest['message']) => socket.send(new SignalRequest({ message }).toBinary());
  connection.onIceCandidate.subscribe((candidate) => {
    const value = new TrickleRequest({
      candidateInit: JSON.stringify(candidate ?? { candidate: '' }),
      target: SignalTarget.SUBSCRIBER,
    });
    if (socket.readyState === socket.OPEN) send({ case: 'trickle', value });
  });
  socket.on('message', (data: Buffer) => {
    const { message } = SignalResponse.fromBinary(data);
    if (message.case === 'offer') void answer(connection, message.value.sdp).then(send, () => socket.close());
  });
}

async function answer(connection: RTCPeerConnection, sdp: string): Promise<SignalRequest['message']> {
  await connection.setRemoteDescription({ type: 'offer', sdp });
  await connection.setLocalDescription(await connection.createAnswer());
  const own = connection.localDescription?.sdp ?? '';
  return { case: 'answer', value: new SessionDescription({ type: 'answer', sdp: own }) };
}
