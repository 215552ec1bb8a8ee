import {
  DataPacket,
  DisconnectReason,
  JoinResponse,
  LeaveRequest,
  LeaveRequest_Action,
  ParticipantInfo,
  ParticipantInfo_State,
  ParticipantUpdate,
  Pong,
  ReconnectResponse,
  Room as RoomInfo,
  ServerInfo,
  SessionDescription,
  SignalRequest,
  SignalResponse,
  SignalTarget,
  TrackInfo,
  TrackSource,
  TrackType,
  UserPacket,
} from '@livekit/protocol';
import type { IceServer } from './ice.ts';
import type { Ending } from './member.ts';
import type { Participant } from './room.ts';

/** The participant that everyone sees: the browser, with its window as a track. */
export const browser = { identity: 'browser', sid: 'PA_browser', track: 'TR_window' } as const;
/** Identifies a track's participant and the track in a description. */
export const streamOf = `${browser.sid}|${browser.track}`;

/** Version of the protocol: the last with two connections for each participant and without later additions. */
const protocol = 15;
/** Interval of pings, and the time limit of an answer, in seconds. */
const ping = { pingInterval: 10, pingTimeout: 25 };

const leaving: Readonly<Record<Ending, DisconnectReason>> = {
  replaced: DisconnectReason.DUPLICATE_IDENTITY,
  'browser-ended': DisconnectReason.ROOM_DELETED,
  'node-ending': DisconnectReason.SERVER_SHUTDOWN,
  removed: DisconnectReason.PARTICIPANT_REMOVED,
  misbehaved: DisconnectReason.PARTICIPANT_REMOVED,
};

type Response = NonNullable<SignalResponse['message']>;

export const encode = (message: Response): Uint8Array => new SignalResponse({ message }).toBinary();

/** Decodes a participant's request. Throws for a malformed one. */
export const decode = (bytes: Uint8Array): SignalRequest['message'] =>
  SignalRequest.fromBinary(bytes).message;

const iceServers = (servers: readonly IceServer[]) =>
  servers.map(({ urls, username = '', credential = '' }) => ({ urls: [...urls], username, credential }));

const server = () => new ServerInfo({ version: '1.9.0', protocol });

const infoOf = ({ identity, attributes }: Participant, sid: string): ParticipantInfo =>
  new ParticipantInfo({
    ...{ identity, sid, attributes: { ...attributes }, state: ParticipantInfo_State.ACTIVE },
    permission: { canSubscribe: true, canPublish: false, canPublishData: true, canUpdateMetadata: true },
  });

function browserInfo(size: { width: number; height: number } | undefined): ParticipantInfo {
  const { width = 0, height = 0 } = size ?? {};
  const track = new TrackInfo({
    ...{ sid: browser.track, type: TrackType.VIDEO, source: TrackSource.SCREEN_SHARE, name: 'window' },
    ...{ width, height, mimeType: 'video/VP8', stream: 'screen' },
    codecs: [{ mimeType: 'video/VP8', mid: '', cid: '' }],
  });
  const { identity, sid } = browser;
  return new ParticipantInfo({
    identity,
    sid,
    state: ParticipantInfo_State.ACTIVE,
    isPublisher: true,
    tracks: [track],
  });
}

/** The first message to a participant. It sees the browser, and no other participant. */
export const joined = (
  room: string,
  me: { readonly participant: Participant; readonly sid: string },
  size: { width: number; height: number } | undefined,
  servers: readonly IceServer[],
): Uint8Array =>
  encode({
    case: 'join',
    value: new JoinResponse({
      room: new RoomInfo({ sid: `RM_${room}`, name: room }),
      participant: infoOf(me.participant, me.sid),
      otherParticipants: [browserInfo(size)],
      ...{
        serverVersion: '1.9.0',
        subscriberPrimary: true,
        serverInfo: server(),
        iceServers: iceServers(servers),
      },
      ...ping,
    }),
  });

export const rejoined = (servers: readonly IceServer[]): Uint8Array =>
  encode({
    case: 'reconnect',
    value: new ReconnectResponse({ iceServers: iceServers(servers), serverInfo: server() }),
  });

export const changed = (participant: Participant, sid: string): Uint8Array =>
  encode({ case: 'update', value: new ParticipantUpdate({ participants: [infoOf(participant, sid)] }) });

export const described = (description: { type: string; sdp: string }, id: number): Uint8Array =>
  encode({
    case: description.type === 'offer' ? 'offer' : 'answer',
    value: new SessionDescription({ type: description.type, sdp: description.sdp, id }),
  });

/** The message that ends a connection. The participant's library does not rejoin after it. */
export const left = (why: Ending): Uint8Array =>
  encode({
    case: 'leave',
    value: new LeaveRequest({ reason: leaving[why], action: LeaveRequest_Action.DISCONNECT }),
  });

/** Makes a participant's library join again, because its former state is lost. */
export const joinAnew = (): Uint8Array =>
  encode({
    case: 'leave',
    value: new LeaveRequest({
      reason: DisconnectReason.STATE_MISMATCH,
      action: LeaveRequest_Action.RECONNECT,
    }),
  });

export const pong = (lastPingTimestamp: bigint): Uint8Array =>
  encode({ case: 'pongResp', value: new Pong({ lastPingTimestamp, timestamp: BigInt(Date.now()) }) });

export const targetOf = (target: SignalTarget): 'subscriber' | 'publisher' =>
  target === SignalTarget.SUBSCRIBER ? 'subscriber' : 'publisher';

/** A message of the browser participant, for a participant's library. */
export function dataOf(topic: string, payload: Uint8Array): Buffer {
  const { identity: participantIdentity, sid: participantSid } = browser;
  const user = new UserPacket({ topic, payload });
  return Buffer.from(
    new DataPacket({ participantIdentity, participantSid, value: { case: 'user', value: user } }).toBinary(),
  );
}

/** A message that a participant's library sends by `publishData`; undefined for any other packet. Throws for a malformed one. */
export function userData(
  message: Buffer,
): { readonly topic: string; readonly payload: Uint8Array } | undefined {
  const { value } = DataPacket.fromBinary(message);
  return value.case === 'user' ? { topic: value.value.topic ?? '', payload: value.value.payload } : undefined;
}
