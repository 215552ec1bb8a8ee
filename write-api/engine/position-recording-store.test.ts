import { expect } from 'chai';
import type { EventStore, EventToAppend, Position } from '../../infra/event-store/client/types.ts';
import { gate, until } from '../../infra/verification/testbed/index.ts';
import { positionRecordingStore } from './position-recording-store.ts';

const at = (commit: bigint): Position => ({ commit, prepare: commit });
const eventOf = (account_id: string | null): EventToAppend => ({
  ...{ id: 'evt', type: 'Done', data: {} },
  metadata: {
    ...{ correlation_id: '', causation_id: '', occurred_at: '', schema_version: 1, request_id: null },
    actor: { kind: 'user', account_id },
  },
});

describe('the recording of accounts’ positions', () => {
  let written: [string, bigint][];
  let changed: string[];
  let recording: ReturnType<typeof positionRecordingStore>;
  beforeEach(() => {
    let last = 0n;
    // Late positions of an earlier test go to its own arrays.
    const [mine, ofMine]: [typeof written, typeof changed] = [[], []];
    [written, changed] = [mine, ofMine];
    const inner: Pick<EventStore, 'append'> = {
      append: async () => ({ revision: 0n, position: at((last += 1n)) }),
    };
    // Only this part of a store is used here.
    recording = positionRecordingStore(inner as EventStore, {
      record: async (account, { commit }) => void mine.push([account, commit]),
    });
    recording.onAppend((stream) => ofMine.push(stream));
  });
  const append = (account: string | null) => recording.store.append('a-1', 'any', [eventOf(account)]);

  it('is one for all appends of a request, of the last of them', async () => {
    await append('acc_1');
    await append('acc_1');
    await append('acc_2');
    await recording.recorded('acc_1');
    expect(written).to.deep.equal([['acc_1', 2n]]);
  });

  it('comes soon after an append that has no reply', async () => {
    await append('acc_1');
    await append('acc_2');
    await until(() => written.length === 2);
    expect(written).to.deep.equal([
      ['acc_1', 1n],
      ['acc_2', 2n],
    ]);
    await recording.recorded('acc_1');
    expect(written).to.have.length(2);
  });

  it('is waited for by every reply that comes while it is under way', async () => {
    const recorder = gate();
    const { store, recorded: waited } = positionRecordingStore(recording.store, { record: recorder.pass });
    await store.append('a-1', 'any', [eventOf('acc_1')]);
    const order: string[] = [];
    const replies = [waited('acc_1'), waited('acc_1')].map((reply) => reply.then(() => order.push('reply')));
    order.push('recorded');
    recorder.open();
    await Promise.all(replies);
    expect(order).to.deep.equal(['recorded', 'reply', 'reply']);
  });

  it('is of all accounts for who does not say whose, those under way too', async () => {
    const recorder = gate();
    const { store, recorded: waited } = positionRecordingStore(recording.store, {
      record: (account) => (account === 'acc_1' ? recorder.pass() : Promise.resolve()),
    });
    for (const account of ['acc_1', 'acc_2']) await store.append('a-1', 'any', [eventOf(account)]);
    const order: string[] = [];
    const first = waited('acc_1').then(() => order.push('reply'));
    await waited('acc_2');
    const refusal = waited().then(() => order.push('refusal'));
    order.push('recorded');
    recorder.open();
    await Promise.all([first, refusal]);
    expect(order[0]).to.equal('recorded');
    expect(order).to.have.members(['recorded', 'reply', 'refusal']);
  });

  it('is recorded for no account if an append has none', async () => {
    await append(null);
    await recording.recorded('acc_1');
    expect([written, changed]).to.deep.equal([[], ['a-1']]);
  });
});
