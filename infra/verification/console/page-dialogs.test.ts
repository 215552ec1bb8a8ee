import { expect } from 'chai';
import { answerTo, askedBy } from '../../console/parts/phone/page-dialogs.ts';

describe('the dialog of a page on the phone of the console', () => {
  const prompt = { id: 4, type: 'prompt', default_text: 'Ada' } as const;
  const confirm = { id: 5, type: 'confirm', default_text: null } as const;

  it('is said to be of the page, by its origin', () => {
    expect(askedBy({ origin: 'https://shop.example' })).to.equal('The page of https://shop.example says:');
    expect(askedBy({ origin: 'null' })).to.equal('The page says:');
  });

  it('is answered with the text of a prompt, if that was changed and accepted', () => {
    const answer = { type: 'answerDialog', dialogId: 4, accept: true };
    expect(answerTo(prompt, true, 'Grace')).to.deep.equal({ ...answer, text: 'Grace' });
    expect(answerTo(prompt, true, '')).to.deep.equal({ ...answer, text: '' });
    expect(answerTo(prompt, true, 'Ada')).to.deep.equal(answer);
    expect(answerTo(prompt, false, 'Grace')).to.deep.equal({ ...answer, accept: false });
    expect(answerTo(confirm, true, '')).to.deep.equal({ ...answer, dialogId: 5 });
  });
});
