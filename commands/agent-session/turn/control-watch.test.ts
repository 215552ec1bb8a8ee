import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf } from '../../../contracts/ids.ts';
import { metadataBy } from '../../../projections/testing/index.ts';
import type { EventStore } from '../../../infra/event-store/client/types.ts';
import { systemPause } from '../../../infra/platform/clock.ts';
import { newCaller, quiet, useStore } from '../../session/testing.ts';
import { ControlWatch } from './control-watch.ts';

const newId = () => toId('agentSession', randomUUID());

describe('the control watch of waiting turns', () => {
  const opened = useStore();
  const caller = newCaller();
  const append = (id: ReturnType<typeof newId>) =>
    opened.store.append(`agent_session-${uuidOf(id)}`, 'any', [
      {
        ...{ id: randomUUID(), type: 'BrowserChanged', metadata: metadataBy(caller.accountId) },
        data: { agentSessionId: id, accountId: caller.accountId, change: 'cookies_set', at: new Date() },
      },
    ]);
  const watchOn = (store: Pick<EventStore, 'head' | 'readAll'>) =>
    new ControlWatch({ store, pause: systemPause, everyMs: 5, logger: quiet });

  it('reports the next event after a position, with the position of that event', async () => {
    const id = newId();
    const { position } = await append(id);
    const changed = watchOn(opened.store).changed(id, position, new AbortController().signal);
    await append(newId());
    const { position: later } = await append(id);
    expect(await changed).to.deep.equal(later);
  });

  it('serves a later waiter too, also with events from before it began to wait', async () => {
    const [first, second] = [newId(), newId()];
    const watch = watchOn(opened.store);
    const over = new AbortController();
    const [{ position: since }, { position: other }] = [await append(second), await append(first)];
    const never = watch.changed(first, other, over.signal).catch(() => 'over');
    const { position } = await append(second);
    await watch.changed(second, other, over.signal);
    expect(await watch.changed(second, since, over.signal)).to.deep.equal(position);
    over.abort();
    expect(await never).to.equal('over');
  });

  it('continues after a failed read', async () => {
    const id = newId();
    const { position } = await append(id);
    let failures = 0;
    const store: Pick<EventStore, 'head' | 'readAll'> = {
      head: () => opened.store.head(),
      readAll: (options) => {
        failures += 1;
        if (failures < 3) throw new Error('The log is away.');
        return opened.store.readAll(options);
      },
    };
    const changed = watchOn(store).changed(id, position, new AbortController().signal);
    const { position: later } = await append(id);
    expect(await changed).to.deep.equal(later);
    expect(failures).to.equal(3);
  });

  it('reads once for all waiters, and does not read without waiters', async () => {
    let reads = 0;
    const over = new AbortController();
    const store: Pick<EventStore, 'head' | 'readAll'> = {
      head: () => opened.store.head(),
      readAll: (options) => {
        reads += 1;
        if (reads === 2) over.abort();
        return opened.store.readAll(options);
      },
    };
    const watch = watchOn(store);
    const ids = Array.from({ length: 5 }, newId);
    const { position } = await append(newId());
    const waiting = ids.map((id) => watch.changed(id, position, over.signal).catch(() => 'over'));
    expect(new Set(await Promise.all(waiting))).to.deep.equal(new Set(['over']));
    await systemPause(30, new AbortController().signal);
    expect(reads).to.equal(2);
  });

  it('rejects a waiter whose signal is already aborted', async () => {
    const over = AbortSignal.abort(new Error('over'));
    const { position } = await append(newId());
    const outcome = await watchOn(opened.store)
      .changed(newId(), position, over)
      .catch((error: unknown) => String(error));
    expect(outcome).to.equal('Error: over');
  });
});
