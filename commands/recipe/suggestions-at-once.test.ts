import { expect } from 'chai';
import type { EventStore } from '../../infra/event-store/client/types.ts';
import { gate, until } from '../../infra/verification/testbed/index.ts';
import { newAgentSessionId } from '../agent-session/testing.ts';
import { createWorld, newCaller, useStore } from '../session/testing.ts';
import { createRecipeCommands } from './index.ts';

describe('recipes that are suggested at the same time', () => {
  const opened = useStore();

  it('are read from two agent sessions at once, and from the others in turn', async () => {
    const { runner, clock, store } = createWorld(opened.store);
    const { pass, open } = gate();
    let [reading, most] = [0, 0];
    async function* readStream(...call: Parameters<EventStore['readStream']>) {
      reading += 1;
      most = Math.max(most, reading);
      await pass();
      yield* store.readStream(...call);
      reading -= 1;
    }
    const nothingSealed = () => Promise.reject(new Error('The agent sessions have no events.'));
    const recipes = createRecipeCommands({
      ...{ runner, clock, store: { readStream } },
      vault: { seal: nothingSealed, open: nothingSealed },
      archetypes: { default: 'iphone-15', archetypes: [] },
      roleOn: () => Promise.resolve(undefined),
    });
    const suggested = Array.from({ length: 5 }, () =>
      recipes.suggest({ id: newAgentSessionId(), accountId: newCaller().accountId }),
    );
    await until(() => reading > 1);
    open();
    for (const { suggestion } of await Promise.all(suggested)) expect(suggestion).to.equal(null);
    expect(most).to.equal(2);
  });
});
