import { expect } from 'chai';
import type { DispatchFailure } from '../../../../../contracts/fleet/protocol.ts';
import { failure, run } from '../browser.ts';
import { withBrowser } from '../suite.ts';
import type { Case, Step } from './case.ts';
import { groups } from './groups.ts';
import { serveCases } from './site.ts';

const cases = Object.values(groups).flat();

describe('a phone in a hand', () => {
  const suite = withBrowser(() => serveCases(cases));

  for (const [group, members] of Object.entries(groups)) {
    describe(group, () => {
      for (const member of members) it(member.says, () => hold(member));
    });
  }

  async function hold(member: Case): Promise<void> {
    const url = suite.site.urlOf(cases.indexOf(member));
    await run(suite.browser, 'navigate', { url });
    const steps = Array.isArray(member.does) ? (member.does as readonly Step[]) : [member.does as Step];
    const last = steps.at(-1);
    for (const step of steps.slice(0, -1)) await perform(step, member.limit);
    if (!last) throw new Error('A case does something.');
    if (member.fails) {
      const { kind, reason, category } = await refusal(last, member.limit);
      expect(kind).to.equal(member.fails[0], reason);
      expect(reason).to.match(member.fails[1]);
      expect(category).to.equal(member.fails[2] ?? category, reason);
    } else {
      const answer = await perform(last, member.limit);
      if (member.answers) expect(answer).to.match(member.answers);
    }
    if (member.expect !== undefined) expect(await reported(url)).to.equal(member.expect);
  }

  /** Repeated with a longer limit when the machine was too busy for a single check within the short one. */
  async function refusal(step: Step, limit = 300): Promise<DispatchFailure> {
    const first = await failure(perform(step, limit));
    return first.reason === 'The operation did not finish in time.'
      ? failure(perform(step, limit * 40))
      : first;
  }

  async function perform(step: Step, limit = 12_000): Promise<string> {
    if (step.kind === 'wait') {
      await run(suite.browser, 'wait', { condition: step.condition }, limit);
      return 'met';
    }
    if (step.kind === 'capture') {
      const { data } = await run(suite.browser, 'capture', { ...step, kind: 'screenshot' }, limit);
      const png = Buffer.from(data, 'base64');
      return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
    }
    if (step.kind === 'extract')
      return JSON.stringify((await run(suite.browser, 'extract', step, limit)).data);
    if (step.kind === 'login') return (await run(suite.browser, 'login', step, limit)).status;
    return (await run(suite.browser, 'interact', { action: step }, limit)).summary;
  }

  /** What the page reports; if another page has taken its place, its title. */
  async function reported(url: string): Promise<string> {
    const { url: at, title } = await run(suite.browser, 'state_capture', null);
    if (!at.startsWith(url)) return title;
    await run(suite.browser, 'navigate', { url: `${url}#told` });
    const isReported = { kind: 'selector', selector: 'html[data-told]', state: 'attached' } as const;
    await run(suite.browser, 'wait', { condition: isReported });
    const answer = (await run(suite.browser, 'state_capture', null)).title;
    return decodeURIComponent(answer.slice(1));
  }
});
