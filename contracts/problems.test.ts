import { expect } from 'chai';
import { problems, refuse, type ProblemSlug } from './problems.ts';

describe('A problem', () => {
  for (const slug of Object.keys(problems) as ProblemSlug[])
    it(`${slug} says what is wrong in a sentence, also where nothing more is known`, () => {
      expect(refuse(slug).message).to.match(/^[A-Z].{10,}\.$/);
    });
});
