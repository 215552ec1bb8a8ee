import { expect } from 'chai';
import type { Caller } from '../../commands/engine/context.ts';
import { Refusal, refuse } from '../../contracts/problems.ts';
import { gate, until } from '../../infra/verification/testbed/index.ts';
import { createHandling } from './handling.ts';

/** Only these fields of a caller are used here. */
const caller = { accountId: 'acc_1' } as unknown as Caller;
const call = { caller };

describe('a refusal', () => {
  const refused = () => Promise.reject(refuse('conflict'));
  const ways: Record<string, (handling: ReturnType<typeof createHandling>) => Promise<unknown>> = {
    'of a caller': ({ answering }) => answering(refused).run(call),
    'of a client without a credential': ({ answeringAnyone }) => answeringAnyone(refused).run({}),
    'of what a path names': ({ answeringOn }) => {
      const { exists } = answeringOn(refused)<'api-keys.revoke'>(async () => ({}));
      return Promise.resolve(exists?.(caller, { id: 'key_1' }, undefined as never));
    },
  };
  for (const [name, refusing] of Object.entries(ways))
    it(`${name} is answered once the positions of all accounts are recorded: any may have been changed`, async () => {
      const recording = gate();
      const asked: unknown[] = [];
      const handling = createHandling((accountId) => {
        asked.push(accountId);
        return recording.pass();
      });
      let answer: unknown;
      const answered = refusing(handling).catch((error: unknown) => (answer = error));
      await until(() => asked.length > 0);
      expect([asked, answer]).to.deep.equal([[undefined], undefined]);
      recording.open();
      await answered;
      expect(answer).to.be.instanceOf(Refusal);
    });
});
