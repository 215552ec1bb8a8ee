import type { RTCDataChannel, RTCPeerConnection, RTCRtpSender } from 'werift';
import { bounds } from './bounds.ts';
import { boundData } from './data-window.ts';
import { withoutFingerprints } from './descriptions.ts';
import { namable, reachable, isNamable, type IceOptions } from './ice.ts';
import { boundPorts } from './media-ports.ts';
import { boundReports } from './reports.ts';

/** Loaded with the first participant: a node that nobody watches does not need it. */
const library = () => import('werift');
type Library = Awaited<ReturnType<typeof library>>;

export type MediaEvents = {
  /** Media and data reach the participant. */
  connected(): void;
  /** The connection has failed. */
  failed(): void;
  /** A message on one of the participant's channels. */
  data(message: Buffer, reliable: boolean): void;
  /** The participant sends a message without an end, or opens too many channels or media sections. */
  exceeded(): void;
  /** The participant cannot show further packets before another key frame. */
  keyWanted(): void;
  /** An estimate of the bitrate that it can receive has changed. */
  canTake(change: RateChange): void;
};

/** The fraction of lost packets, or a bitrate limit that the receiver names. */
export type RateChange = { readonly lost: number } | { readonly most: number };

export interface Description {
  readonly type: 'offer' | 'answer';
  readonly sdp: string;
}

/** The two connections of a participant in LiveKit's protocol: one to receive, offered by the node, and one to send. */
export interface Media {
  offer(stream: string): Promise<Description>;
  answered(sdp: string): Promise<void>;
  /** Answers a participant's offer: accepts data channels, and no published media. */
  answer(sdp: string): Promise<Description>;
  candidate(target: 'subscriber' | 'publisher', init: object): Promise<void>;
  /** False if the queue is full. */
  packet(packet: Buffer): boolean;
  message(message: Buffer, lossy: boolean): 'sent' | 'dropped' | 'too-slow';
  readonly isConnected: boolean;
  close(): Promise<void>;
}

const lossyLabel = '_lossy';
const reliableLabel = '_reliable';

/** One certificate for all connections of a process, so that its key is generated once. */
let certificate: ReturnType<typeof makeCertificate> | undefined;
async function makeCertificate({ RTCDtlsTransport }: Library) {
  return RTCDtlsTransport.SetupCertificate();
}

export interface Waiting {
  readonly reliable: number;
  readonly lossy: number;
  readonly packets: number;
}

export async function openMedia(ice: IceOptions, events: MediaEvents, waiting: Waiting): Promise<Media> {
  const werift = await library();
  const own = await (certificate ??= makeCertificate(werift));
  const config = configuration(werift, ice, own);
  const down = openDownward(werift, config, ice, events, waiting);
  boundPorts(down.connection, werift);
  boundReports(down.connection);
  let up: RTCPeerConnection | undefined;
  const openUpward = () => {
    const opened = new werift.RTCPeerConnection(config);
    opened.onDataChannel.subscribe((channel) => listen(channel, events));
    return opened;
  };
  return {
    ...down.media,
    get isConnected() {
      return down.connection.connectionState === 'connected';
    },
    answer: async (sdp) => {
      up ??= openUpward();
      await take(up, namable(sdp, ice), werift, events);
      return { type: 'answer', sdp: reachable(up.localDescription?.sdp ?? '', ice) };
    },
    candidate: async (target, init) => {
      if (!('candidate' in init) || typeof init.candidate !== 'string') return;
      if (isNamable(init.candidate, ice))
        await (target === 'subscriber' ? down.connection : up)?.addIceCandidate({
          ...init,
          candidate: init.candidate,
        });
    },
    close: async () => {
      await Promise.allSettled([down.connection.close(), up?.close()]);
    },
  };
}

/** Takes a participant's offer, and makes the answer to it. */
async function take(
  up: RTCPeerConnection,
  sdp: string,
  werift: Library,
  { exceeded }: Pick<MediaEvents, 'exceeded'>,
): Promise<void> {
  const offered = up.remoteDescription ? withoutFingerprints(sdp) : sdp;
  await up.setRemoteDescription({ type: 'offer', sdp: offered });
  boundPorts(up, werift);
  boundReports(up);
  boundData(up, exceeded);
  // Each new name of a section is one more, for as long as the connection lasts.
  if (up.getTransceivers().length > bounds.descriptions.sections) exceeded();
  await up.setLocalDescription(await up.createAnswer());
}

type Downward = Pick<Media, 'offer' | 'answered' | 'packet' | 'message'>;

/** The connection by which a participant receives. */
function openDownward(
  { RTCPeerConnection, RtcpRrPacket }: Library,
  config: ReturnType<typeof configuration>,
  ice: IceOptions,
  events: MediaEvents,
  waiting: Waiting,
): { readonly connection: RTCPeerConnection; readonly media: Downward } {
  const connection = new RTCPeerConnection(config);
  const { sender } = connection.addTransceiver('video', { direction: 'sendonly' });
  const message = openChannels(connection, waiting, events);
  connection.connectionStateChange.subscribe((state) => {
    if (state === 'connected') events.connected();
    if (state === 'failed' || state === 'closed') events.failed();
  });
  followReceiver(RtcpRrPacket, sender, events);
  let underWay = 0;
  const media: Downward = {
    offer: async (stream) => {
      sender.streamIds = [stream];
      await connection.setLocalDescription(await connection.createOffer());
      return { type: 'offer', sdp: reachable(connection.localDescription?.sdp ?? '', ice) };
    },
    answered: async (sdp) => {
      if (connection.signalingState === 'have-local-offer')
        await connection.setRemoteDescription({ type: 'answer', sdp: namable(sdp, ice) });
    },
    packet: (packet) => {
      if (underWay >= waiting.packets) return false;
      underWay += 1;
      void sender
        .sendRtp(packet)
        .catch(() => undefined)
        .finally(() => (underWay -= 1));
      return true;
    },
    message,
  };
  return { connection, media };
}

function configuration(
  { RTCRtpCodecParameters, RTCRtpHeaderExtensionParameters, RTP_EXTENSION_URI }: Library,
  ice: IceOptions,
  own: Awaited<ReturnType<typeof makeCertificate>>,
) {
  const feedback = ['nack', 'goog-remb', 'ccm'].map((type) => ({
    type,
    ...(type === 'ccm' && { parameter: 'fir' }),
  }));
  return {
    bundlePolicy: 'max-bundle' as const,
    certificates: [own],
    iceServers: [],
    icePortRange: [...ice.ports] as [number, number],
    iceAdditionalHostAddresses: ice.addresses.filter(
      (address) => address.startsWith('127.') || address === '::1',
    ),
    iceUseTcp: true,
    maxMessageSize: 128 * 1024,
    codecs: {
      video: [
        new RTCRtpCodecParameters({
          mimeType: 'video/VP8',
          clockRate: 90_000,
          rtcpFeedback: [...feedback, { type: 'nack', parameter: 'pli' }],
        }),
      ],
      // Participants publish nothing, but the offers of their libraries must find a matching codec.
      audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })],
    },
    headerExtensions: {
      video: [
        new RTCRtpHeaderExtensionParameters({ uri: RTP_EXTENSION_URI.sdesMid }),
        new RTCRtpHeaderExtensionParameters({ uri: RTP_EXTENSION_URI.absSendTime }),
      ],
    },
  };
}

function followReceiver(
  RtcpRrPacket: Library['RtcpRrPacket'],
  sender: RTCRtpSender,
  events: MediaEvents,
): void {
  sender.onPictureLossIndication.subscribe(() => events.keyWanted());
  sender.onRtcp.subscribe((packet) => {
    if (packet instanceof RtcpRrPacket)
      for (const report of packet.reports)
        if (report.ssrc === sender.ssrc) events.canTake({ lost: report.fractionLost / 256 });
    const most = Number(sender.receiverEstimatedMaxBitrate);
    if (most > 0) events.canTake({ most });
  });
}

function listen(channel: RTCDataChannel, events: MediaEvents): void {
  const reliable = channel.label === reliableLabel;
  if (!reliable && channel.label !== lossyLabel) return;
  channel.onMessage.subscribe((message) => {
    if (typeof message !== 'string') events.data(message, reliable);
  });
}

type Sent = ReturnType<Media['message']>;

/** Opens the data channels; returns the function that sends on them. */
function openChannels(
  connection: RTCPeerConnection,
  waiting: Waiting,
  { exceeded }: Pick<MediaEvents, 'exceeded'>,
): Media['message'] {
  const reliable = sendOnceOpen(connection.createDataChannel(reliableLabel, { ordered: true }), waiting);
  const drops = { ordered: true, maxRetransmits: 0 };
  const lossy = sendWhileOpen(connection.createDataChannel(lossyLabel, drops), waiting);
  boundData(connection, exceeded);
  return (message, isLossy) => (isLossy ? lossy : reliable)(message);
}

/** Drops a message that is larger than the participant takes by its own description: sending it throws. */
function trySend(channel: RTCDataChannel, message: Buffer): Sent {
  try {
    channel.send(message);
    return 'sent';
  } catch {
    return 'dropped';
  }
}

/** Drops messages that would be late. */
const sendWhileOpen =
  (channel: RTCDataChannel, { lossy }: Waiting) =>
  (message: Buffer): Sent => {
    if (channel.readyState !== 'open' || channel.bufferedAmount > lossy) return 'dropped';
    return trySend(channel, message);
  };

/** Queues messages until the channel is open: a new participant gets the state of control and of the page before that. */
function sendOnceOpen(channel: RTCDataChannel, { reliable }: Waiting): (message: Buffer) => Sent {
  const kept: Buffer[] = [];
  channel.stateChanged.subscribe((state) => {
    if (state === 'open') for (const message of kept.splice(0)) trySend(channel, message);
  });
  return (message) => {
    const isOpen = channel.readyState === 'open';
    const waits = isOpen ? channel.bufferedAmount : kept.reduce((sum, each) => sum + each.length, 0);
    if (waits > reliable) return 'too-slow';
    if (isOpen) return trySend(channel, message);
    if (channel.readyState !== 'connecting') return 'dropped';
    kept.push(message);
    return 'sent';
  };
}
