import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import { toId, uuidOf, type AgentSessionId } from '../../../contracts/ids.ts';
import { events } from '../../../domain/agent-session/testing.ts';
import { longestTranscript } from '../../../infra/model/port.ts';
import { metadataBy } from '../../../projections/testing/index.ts';
import { newCaller, useStore } from '../../session/testing.ts';
import { RecentEntries } from './recent-entries.ts';

describe('the recent entries of a transcript', () => {
  const opened = useStore();
  const { accountId } = newCaller();
  let id: AgentSessionId;
  let reads: number;
  let entries: RecentEntries;
  beforeEach(() => {
    [id, reads] = [toId('agentSession', randomUUID()), 0];
    const readStream: typeof opened.store.readStream = (...args) => {
      reads += 1;
      return opened.store.readStream(...args);
    };
    entries = new RecentEntries({ readStream });
  });
  const append = async (...appended: readonly AgentSessionEvent[]): Promise<bigint> => {
    const toAppend = appended.map((event) => ({
      ...event,
      ...{ id: randomUUID(), metadata: metadataBy(accountId) },
    }));
    return (await opened.store.append(`agent_session-${uuidOf(id)}`, 'any', toAppend)).revision;
  };
  const said = (entryIndex: number, sealedMessage = 'sealed') =>
    events.MessageLogged({ entryIndex, sealedMessage });
  const indexes = async (revision: bigint) =>
    (await entries.upTo(id, revision)).map(({ data }) => data.entryIndex);

  it('are the last entries that events add, oldest first', async () => {
    const count = longestTranscript + 5;
    const all = Array.from({ length: count }, (_, index) => said(index));
    const revision = await append(events.AgentSessionCreated(), ...all, events.BrowserChanged());
    expect(await indexes(revision)).to.deep.equal(
      Array.from({ length: longestTranscript }, (_, index) => index + 5),
    );
  });

  it('are read once, as long as this process appends all further events', async () => {
    await indexes(await append(events.AgentSessionCreated(), said(0)));
    const next = [events.TurnAdmitted({ entryIndex: 1 }), events.TurnDecomposed()];
    const revision = await append(...next);
    entries.appended(id, next, revision);
    expect([await indexes(revision), reads]).to.deep.equal([[0, 1], 1]);
  });

  it('are read again if another process has appended something', async () => {
    await indexes(await append(events.AgentSessionCreated(), said(0)));
    await append(said(1));
    const revision = await append(said(2));
    entries.appended(id, [said(2)], revision);
    expect([await indexes(revision), reads]).to.deep.equal([[0, 1, 2], 2]);
  });

  it('end at the revision, whatever was appended after it', async () => {
    const revision = await append(events.AgentSessionCreated(), said(0));
    await append(said(1));
    expect(await indexes(revision)).to.deep.equal([0]);
  });

  it('are not cached if they are long', async () => {
    const revision = await append(events.AgentSessionCreated(), said(0, 'x'.repeat(70_000)));
    await indexes(revision);
    expect([await indexes(revision), reads]).to.deep.equal([[0], 2]);
  });
});
