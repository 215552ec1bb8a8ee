import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import pino from 'pino';
import { toId } from '../../../contracts/ids.ts';
import { until } from '../../verification/testbed/index.ts';
import { ControlPlaneRefused } from './control-plane.ts';
import type { LeftState } from './driver.ts';
import { Saves, type SavesOptions } from './saves.ts';

const logger = pino({ level: 'silent' });
const backOff = { firstMs: 5, longestMs: 5 };
const census = {
  ...{ cookies: 1, origins: 0 },
  parts: { cookies: 9, local_storage: 0, session_storage: 2, indexeddb: 0, service_workers: 0, cache: 0 },
};

/** State of an ended browser, with the number of times that it was packed and removed. */
function leftState(archive = () => Readable.from(['archive'])) {
  const counts = { packed: 0, removed: 0 };
  const state: LeftState = {
    census,
    archive: () => {
      counts.packed += 1;
      return archive();
    },
    remove: async () => void (counts.removed += 1),
  };
  return { counts, state };
}

describe('the state that a browser has left', () => {
  const save = (transfer: SavesOptions['transfer']['save'], left: LeftState, limitMs = 1_000) => {
    const failures: string[] = [];
    const saves = new Saves({ transfer: { save: transfer }, logger, backOff, limitMs });
    saves.begin({
      session: toId('session', randomUUID()),
      state: left,
      onUnpackable: ({ reason }) => failures.push(reason),
    });
    return { saves, failures };
  };

  it('is packed anew for each attempt, and removed once it is accepted', async () => {
    const { counts, state } = leftState();
    const { saves, failures } = save(async (_session, _census, archive) => {
      expect((await buffer(archive)).toString()).to.equal('archive');
      expect(counts.removed).to.equal(0);
      if (counts.packed < 3) throw new Error('not now');
      return 'saved';
    }, state);
    await saves.finish(1_000);
    expect(counts).to.deep.equal({ packed: 3, removed: 1 });
    expect(failures).to.deep.equal([]);
  });

  it('is removed if it was not accepted within the time limit', async () => {
    const { counts, state } = leftState();
    const { saves } = save(() => Promise.reject(new Error('not now')), state, 50);
    await until(() => counts.removed === 1);
    expect(counts.packed).to.be.above(1);
    await saves.finish(0);
  });

  for (const [status, tries] of [
    [404, 1],
    [400, 1],
    [403, 1],
    [401, 2],
    [503, 2],
  ] as const) {
    it(`is sent ${tries === 1 ? 'once' : 'again'} when the answer is ${status}`, async () => {
      const { counts, state } = leftState();
      const { saves } = save(async () => {
        if (counts.packed === 1) throw new ControlPlaneRefused(status, 'PUT /');
        return 'saved';
      }, state);
      await saves.finish(1_000);
      expect(counts).to.deep.equal({ packed: tries, removed: 1 });
    });
  }

  it('is given up, with a report, if it cannot be packed', async () => {
    const unreadable = async function* () {
      yield 'a beginning';
      throw new Error('The disk is gone.');
    };
    const { counts, state } = leftState(() => Readable.from(unreadable()));
    const { saves, failures } = save(async (_session, _census, archive) => {
      await buffer(archive);
      return 'saved';
    }, state);
    await saves.finish(1_000);
    expect(counts).to.deep.equal({ packed: 1, removed: 1 });
    expect(failures).to.deep.equal(['serialize_failed']);
  });

  it('is removed if the node stops before it was sent', async () => {
    const { counts, state } = leftState();
    const { saves } = save(
      (_session, _census, _archive, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('cut off')));
        }),
      state,
    );
    await saves.finish(20);
    expect(counts).to.deep.equal({ packed: 1, removed: 1 });
  });
});
