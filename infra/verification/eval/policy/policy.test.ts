import { expect } from 'chai';
import type { Observation } from '../../../../contracts/resources/observation.ts';
import { inputOf } from '../../../model/anthropic/prompt.ts';
import { decideByRules } from './policy.ts';
import { readMessage } from './message.ts';
import { parsePrompt } from './prompt.ts';

const page: Observation = {
  url: 'http://a.example/limit',
  title: 'Daily limit',
  scroll: { y: 0, height: 800, view: 800 },
  elements: [
    { ref: 'e1', role: 'textbox', name: 'New "limit"', value: '', states: ['focused'], in_view: true },
    { ref: 'e2', role: 'button', name: 'Save', in_view: true },
    { ref: 'e3', role: 'link', name: 'Delete it', in_view: false },
  ],
  headings: ['Daily limit'],
  text: 'Daily limit\nIt is 1,000 euros.',
  cut: false,
  dialog: null,
};
const noted = JSON.stringify({ at: 0, seen: [], sent: [] });
/** The provider's request, as parsed by the policy. */
const prompt = (message: string, of: Observation | null, note: string | null = noted) =>
  parsePrompt({
    model: 'm',
    max_tokens: 1,
    messages: [
      inputOf({ message, transcript: [], page: of, soFar: { results: [], before: null, note, news: [] } }),
    ],
  });

describe('the policy of the eval', () => {
  it('parses the prompt of a model: the message, the page and its note', () => {
    const { message, page: read, note } = prompt('Save it.', page);
    expect({ message, note }).to.deep.equal({ message: 'Save it.', note: noted });
    expect(read).to.deep.include({
      url: page.url,
      title: page.title,
      isAtEnd: true,
      headings: page.headings,
    });
    expect(read?.lines).to.deep.equal(['Daily limit', 'It is 1,000 euros.']);
    expect(read?.elements).to.deep.equal([
      { ref: 'e1', role: 'textbox', name: 'New "limit"', value: '', states: ['focused'] },
      { ref: 'e2', role: 'button', name: 'Save', value: undefined, states: [] },
      { ref: 'e3', role: 'link', name: 'Delete it', value: undefined, states: [] },
    ]);
  });

  it('opens the address in the message, fills in its values, and presses what it names', () => {
    const message = 'Open http://a.example/limit and save a new limit of "300".';
    expect(decideByRules(prompt(message, null, null))).to.have.deep.property('intents', [
      { kind: 'navigate', url: 'http://a.example/limit' },
    ]);
    expect(decideByRules(prompt(message, page))).to.have.deep.property('intents', [
      { kind: 'interact', action: { kind: 'type', ref: 'e1', text: '300', clear: true } },
      { kind: 'interact', action: { kind: 'tap', role: 'button', name: 'Save' } },
    ]);
  });

  it('says so when the target does not exist, and asks when there are several', () => {
    expect(decideByRules(prompt('Greet "Ada".', page))).to.have.property('decision', 'refuse');
    const twice = {
      ...page,
      elements: [...page.elements, { ref: 'e4', role: 'button', name: 'Save', in_view: true }],
    };
    expect(decideByRules(prompt('Tap Save.', twice))).to.have.property('decision', 'clarify');
  });

  it('executes no harmful action that the message does not name', () => {
    expect(decideByRules(prompt('Tap it.', page))).not.to.have.property('intents');
    expect(decideByRules(prompt('Delete it.', page))).to.have.deep.nested.property(
      'intents[0].action.name',
      'Delete it',
    );
  });

  it('reads facts and goals of a message', () => {
    const { facts, goals, start } = readMessage(
      'Book a room at http://a.example/ on "2 May". Name: "Mira Holm".',
    );
    expect(start).to.equal('http://a.example/');
    expect(facts).to.deep.equal([{ label: ['name'], value: 'Mira Holm' }]);
    expect(goals.map((goal) => goal.do)).to.deep.equal(['enter', 'act', 'finish']);
  });
});
