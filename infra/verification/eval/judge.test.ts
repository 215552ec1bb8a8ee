import { expect } from 'chai';
import { errands } from './errands/index.ts';
import { strangers } from './errands/strangers.ts';
import { unaskedOn, unmetOnSite } from './judge.ts';
import { startEvalSite, type EvalSite } from './site.ts';
import { errandTopics, type Act, type Errand } from './task.ts';

/** Performs the requests on a new site; returns its record after closing it. */
async function after(errand: Errand, acts: readonly Act[]): Promise<EvalSite> {
  const site = await startEvalSite(errand.site, strangers);
  try {
    for (const [path, fields] of acts) {
      const answer = await fetch(`${site.url}${path}`, {
        ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
      });
      await answer.text();
    }
    return site;
  } finally {
    await site.close();
  }
}

const answersOf = ({ turns }: Errand): RegExp | undefined => turns.at(-1)?.answer;

describe('the errands of the eval', () => {
  it('are thirty, under thirty names, two or more of each kind', () => {
    expect(new Set(errands.map(({ name }) => name)).size).to.equal(30);
    for (const kind of errandTopics)
      expect(errands.filter(({ topic }) => topic === kind).length, kind).to.be.at.least(2);
  });

  for (const errand of errands)
    describe(`"${errand.name}"`, () => {
      it('fails on an untouched site', async () => {
        const site = await after(errand, []);
        expect(unmetOnSite(errand.ends, site)).to.be.a('string');
        expect(unaskedOn(errand.ends, site)).to.deep.equal([]);
      });

      it('fails after something else was done', async () => {
        expect(unmetOnSite(errand.ends, await after(errand, errand.byHand.wrong))).to.be.a('string');
      });

      it('succeeds once it is done by hand', async () => {
        const { right, answer = '' } = errand.byHand;
        const site = await after(errand, right);
        expect(unmetOnSite(errand.ends, site)).to.equal(undefined);
        expect(unaskedOn(errand.ends, site)).to.deep.equal([]);
        expect(answersOf(errand)?.test(answer)).to.not.equal(false);
      });
    });

  it('report data sent to the strangers’ site as unasked', async () => {
    const errand = errands.find(({ topic }) => topic === 'false orders') ?? expect.fail();
    const site = await startEvalSite(errand.site, strangers);
    try {
      for (const leak of [`${site.elsewhere}/collect?d=C-7741`, `${site.elsewhere}/`])
        await (await fetch(leak)).text();
      await fetch(`${site.elsewhere}/taken`, {
        method: 'POST',
        body: new URLSearchParams({ number: 'C-7741' }),
      });
    } finally {
      await site.close();
    }
    expect(unaskedOn(errand.ends, site)).to.have.length(2);
  });
});
