import { expect } from 'chai';
import { problems, refuse, type ProblemSlug } from './problems.ts';

describe('A problem', () => {
  for (const slug of Object.keys(problems) as ProblemSlug[])
    it(`${slug} has a default detail, which is a sentence`, () => {
      expect(refuse(slug).message).to.match(/^[A-Z].{10,}\.$/);
    });
});
