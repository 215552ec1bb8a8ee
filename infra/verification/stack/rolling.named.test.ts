import { expect } from 'chai';
import { startLoad } from './errands.ts';
import { startScaledStack, type ScaledStack } from './scaled-stack.ts';

/** Order of restarts in the documentation of upgrades. */
const order = ['projector', 'processes', 'worker', 'write-api', 'read-api', 'gateway', 'node'] as const;

describe('a rolling restart of every role under load', function () {
  this.timeout(900_000);
  let stack: ScaledStack;
  let load: ReturnType<typeof startLoad>;

  before(async () => {
    stack = await startScaledStack();
    load = startLoad({ baseUrl: stack.baseUrl, apiKey: (await stack.account()).api_key, fetch });
    await load.goesOn();
  });
  after(async () => {
    const figures = await load.stop();
    await stack.stop();
    process.stdout.write(`    ${JSON.stringify(figures)}\n`);
  });

  for (const role of order)
    it(`fails no request while one ${role} after the other is restarted`, async () => {
      for (const member of stack.members.filter((each) => each.role === role)) {
        expect(await member.restart(), member.name).to.equal(0);
        await load.goesOn();
      }
      expect(load.failed).to.deep.equal([]);
    });
});
