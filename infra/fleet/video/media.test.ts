import { expect } from 'chai';
import { RTCPeerConnection } from 'werift';
import { until } from '../../verification/testbed/index.ts';
import { bounds } from './bounds.ts';
import { boundData } from './data-window.ts';
import { openMedia, type Media } from './media.ts';

const ice = { addresses: [], ports: [41_000, 41_100] as const, servers: [], peerAllow: [] };

describe('the connections of a participant', function () {
  this.timeout(30_000);
  let media: Media;
  let person: RTCPeerConnection;
  let heard: string[];
  let said: string[];

  beforeEach(async () => {
    [heard, said] = [[], []];
    const nothing = () => undefined;
    const events = { connected: nothing, failed: nothing, keyWanted: nothing, canTake: nothing };
    media = await openMedia(
      ice,
      { ...events, data: (each) => void heard.push(each.toString()) },
      bounds.waiting,
    );
    person = new RTCPeerConnection({ iceServers: [] });
    person.onDataChannel.subscribe((channel) => {
      channel.onMessage.subscribe((message) => void said.push(`${channel.label} ${message.toString()}`));
    });
  });
  afterEach(async () => {
    await Promise.all([media.close(), person.close()]);
  });

  /** Describes itself in one go, with all of its addresses, none of which may be named here. */
  const join = async () => {
    await person.setRemoteDescription(await media.offer('PA_browser|TR_window'));
    await person.setLocalDescription(await person.createAnswer());
    const sdp = person.localDescription?.sdp ?? '';
    expect(sdp).to.include('a=candidate:').and.include('a=end-of-candidates');
    await media.answered(sdp);
    await until(async () => media.isConnected);
  };

  it('reach one that has named only addresses inside, and is heard from there', async () => {
    await join();
  });
  it('keep what is said before they are there, in its order, but nothing that is late by then', async () => {
    expect(media.message(Buffer.from('one'), false)).to.equal('sent');
    expect(media.message(Buffer.from('late'), true)).to.equal('dropped');
    expect(media.message(Buffer.from('two'), false)).to.equal('sent');
    await join();
    await until(async () => said.length === 2);
    media.message(Buffer.from('three'), false);
    await until(async () => said.length === 3);
    expect(said).to.deep.equal(['_reliable one', '_reliable two', '_reliable three']);
  });
  it('keep no more than may wait', () => {
    const large = Buffer.alloc(bounds.waiting.reliable);
    expect([
      media.message(large, false),
      media.message(large, false),
      media.message(large, false),
    ]).to.deep.equal(['sent', 'sent', 'too-slow']);
  });
});

describe('data of a participant', () => {
  it('is taken in order, and of what comes too early only so much', () => {
    const taken: number[] = [];
    const association = {
      ...{ advertisedRwnd: 1024 * 1024, lastReceivedTsn: 2 ** 32 - 1, sackMisOrdered: new Set<number>() },
      receiveDataChunk: ({ tsn }: { tsn: number }) => {
        taken.push(tsn);
        if (tsn !== 0) association.sackMisOrdered.add(tsn);
      },
    };
    boundData({ sctpTransport: { sctp: association } } as unknown as Parameters<typeof boundData>[0]);
    for (let tsn = 1; tsn <= 1_000; tsn += 1) association.receiveDataChunk({ tsn });
    expect(taken).to.have.length(64);
    // The one that is missing comes at last, at the turn of the numbers.
    association.receiveDataChunk({ tsn: 0 });
    expect([taken.at(-1), association.advertisedRwnd]).to.deep.equal([0, 128 * 1024]);
  });
});
