import { once } from 'node:events';
import {
  AddTrackRequest,
  DataPacket,
  SessionDescription,
  SignalRequest,
  SignalResponse,
  TrackType,
  UserPacket,
} from '@livekit/protocol';
import { RTCPeerConnection, type RTCDataChannel } from 'werift';
import { WebSocket } from 'ws';
import type { VideoBlock } from '../live-view/picture-participant.ts';
import { until } from '../testbed/index.ts';

/** A LiveKit participant that may violate the protocol: the test controls every byte on its socket and data channels. */
export class HostileParticipant {
  readonly socket: WebSocket;
  private readonly connection: RTCPeerConnection;
  private readonly reliable: RTCDataChannel;
  /** Messages of the node on the socket. */
  private readonly said: SignalResponse['message'][] = [];
  private code: number | undefined;

  private constructor({ ws_url, token }: Pick<VideoBlock, 'ws_url' | 'token'>) {
    this.socket = new WebSocket(`${ws_url}/rtc?access_token=${token}`);
    this.socket.on('error', () => undefined);
    this.socket.on('close', (code) => (this.code = code));
    this.socket.on('message', (data: Buffer) => this.said.push(SignalResponse.fromBinary(data).message));
    this.connection = new RTCPeerConnection({ iceServers: [], bundlePolicy: 'max-bundle' });
    this.reliable = this.connection.createDataChannel('_reliable', { ordered: true });
  }

  /** Joins, and offers a video track besides its data channel. Resolves when data can be sent. */
  static async join(video: object): Promise<HostileParticipant> {
    const one = new HostileParticipant(video as VideoBlock);
    await once(one.socket, 'open');
    one.connection.addTransceiver('video', { direction: 'sendonly' });
    await one.connection.setLocalDescription(await one.connection.createOffer());
    const cid = 'camera';
    const track = new AddTrackRequest({ cid, name: cid, type: TrackType.VIDEO });
    one.request({ case: 'addTrack', value: track });
    const sdp = one.connection.localDescription?.sdp ?? '';
    one.request({ case: 'offer', value: new SessionDescription({ type: 'offer', sdp, id: 1 }) });
    const answer = await until(async () => one.said.find((each) => each.case === 'answer') ?? false);
    await one.connection.setRemoteDescription({ type: 'answer', sdp: answer.value.sdp });
    await until(async () => one.reliable.readyState === 'open', { limitMs: 30_000 });
    return one;
  }

  request(message: SignalRequest['message']): void {
    this.socket.send(new SignalRequest({ message }).toBinary());
  }

  data(bytes: Buffer): void {
    this.reliable.send(bytes);
  }

  /** Sends a message of this size, regardless of the node's advertised limits. */
  dataBeyondTheWindow(bytes: number): void {
    const { sctpTransport } = this.connection;
    const claims = { get: () => 2 ** 30, set: () => undefined };
    if (sctpTransport) {
      Object.defineProperty(sctpTransport.sctp, 'peerAdvertisedRwnd', claims);
      sctpTransport.setRemoteMaxMessageSize(0);
    }
    this.data(Buffer.alloc(bytes));
  }

  openChannels(count: number): void {
    for (let times = 0; times < count; times += 1) this.connection.createDataChannel('_reliable');
  }

  /** Sends an input event under another participant's identity. */
  inputAs(participantIdentity: string, message: object): void {
    const user = new UserPacket({ topic: 'input', payload: Buffer.from(JSON.stringify(message)) });
    const value = { case: 'user' as const, value: user };
    this.data(Buffer.from(new DataPacket({ participantIdentity, value }).toBinary()));
  }

  /** True if the node has announced a track of this participant to any participant. */
  get isPublished(): boolean {
    return this.said.some((each) => each.case === 'trackPublished' || each.case === 'trackSubscribed');
  }

  /** Waits until the socket is closed. Resolves to the node's `DisconnectReason` code, or else the socket's close code. */
  async putOut(): Promise<number> {
    const code = await until(async () => this.code ?? false, { limitMs: 30_000 });
    const leave = this.said.find((each) => each.case === 'leave');
    await this.connection.close();
    return leave?.case === 'leave' ? leave.value.reason : code;
  }

  async leave(): Promise<void> {
    this.socket.close(1001);
    await this.connection.close();
  }
}
