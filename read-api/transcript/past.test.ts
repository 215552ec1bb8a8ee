import { once } from 'node:events';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { toId } from '../../contracts/ids.ts';
import { streamsPerAccount } from '../engine/event-streams.ts';
import { pastTranscripts } from './past.ts';

/** A log without events. */
const nothing = {
  store: {
    async *readStream() {
      yield* [];
    },
  },
  vault: { open: async () => ({ text: '' }) },
};
const account = () => toId('account', uuidv7());

describe('the transcript streams of a past', () => {
  const id = toId('agentSession', uuidv7());
  const past = () => {
    const transcripts = pastTranscripts(nothing, { commit: 1n, prepare: 1n });
    const open = (accountId: ReturnType<typeof account>) =>
      transcripts.stream(id, {
        ...{ accountId, actorId: accountId, credentialId: toId('apiKey', uuidv7()) },
        ...{ after: -1, finalLength: null, recheck: async () => null },
      });
    return { ...transcripts, open };
  };

  it('are as many for an account as those of the present, and end with what was read or is no longer read', async () => {
    const { open, count } = past();
    const [one, other] = [account(), account()];
    const streams = await Promise.all(Array.from({ length: streamsPerAccount }, () => open(one)));
    expect(streams).not.to.include(null);
    expect(await open(one)).to.equal(null);
    expect(await open(other)).not.to.equal(null);
    const [read, left] = streams;
    if (!read || !left) throw new Error('Two streams are open.');
    left.destroy();
    await Promise.all([once(left, 'close'), once(read.resume(), 'close')]);
    expect(count()).to.equal(streamsPerAccount - 1);
    expect(await Promise.all([open(one), open(one)])).not.to.include(null);
    expect(await open(one)).to.equal(null);
  });

  it('end when the process does', async () => {
    const { open, count, end } = past();
    const stream = await open(account());
    if (stream === null) throw new Error('A stream is open.');
    const closed = once(stream, 'close');
    end();
    await closed;
    expect(count()).to.equal(0);
  });
});
