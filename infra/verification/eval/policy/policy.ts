import type { Intent } from '../../../../contracts/resources/agent-turn.ts';
import { goTo, interact } from '../task.ts';
import { entriesFor } from './filling.ts';
import { better, cannot, look, memoryOf, say, type Memory, type PolicyCall } from './memory.ts';
import { readMessage, type Goal, type ReadMessage } from './message.ts';
import { Sight } from './sight.ts';
import type { ModelPrompt, PromptElement } from './prompt.ts';
import { shared, within, wordsOf } from './words.ts';

const scroll: Intent = { kind: 'scroll', direction: 'down', amount: 4000 };
const pause: Intent = { kind: 'behavioral_pause', duration_ms: 800 };

/** Decides one round by rules, from the model's prompt alone. */
export function decideByRules({ message: text, page, note }: ModelPrompt): PolicyCall {
  const message = readMessage(text);
  const memory = memoryOf(note);
  const { start } = message;
  if (start !== undefined && note === '') return look([goTo(start)], memory);
  if (page === null) return { decision: 'clarify', question: 'On which page?' };
  return new Round(message, new Sight(page, message), memory).decide();
}

class Round {
  readonly #message: ReadMessage;
  readonly #sight: Sight;
  #memory: Memory;

  constructor(message: ReadMessage, sight: Sight, memory: Memory) {
    this.#message = message;
    this.#sight = sight;
    this.#memory = memory;
  }

  get #goal(): Goal | undefined {
    const goal = this.#message.goals[this.#memory.at];
    return goal && this.#memory.isFound ? { do: goal.do, words: goal.words, quoted: [] } : goal;
  }

  decide(): PolicyCall {
    const answer = this.#sight.bannerAnswer;
    if (answer) return this.#go([this.#tap(answer)]);
    this.#keepWhatIsShown();
    this.#skipWhatIsThere();
    return this.#fillIn() ?? this.#reach();
  }

  /** Taps by role and name if they are unique, since a re-render changes the ref. */
  #tap({ ref, role, name }: PromptElement): Intent {
    const same = this.#sight.page.elements.filter((each) => each.role === role && each.name === name);
    return interact(same.length === 1 && name !== '' ? { kind: 'tap', role, name } : { kind: 'tap', ref });
  }

  #go(intents: readonly Intent[], change: Partial<Memory> = {}): PolicyCall {
    return look(intents, { ...this.#memory, ...change });
  }

  #advance(intents: readonly Intent[], change: Partial<Memory> = {}): PolicyCall {
    return this.#go(intents, { at: this.#memory.at + 1, seen: [], isFound: false, ...change });
  }

  /** Remembers the value on this page that a later field needs. */
  #keepWhatIsShown(): void {
    for (const { value, isShown } of this.#message.facts) {
      const starts = (line: string) => line.toLowerCase().startsWith(`${value}: `);
      const line = isShown ? this.#sight.page.lines.find(starts) : undefined;
      if (line !== undefined) this.#memory = { ...this.#memory, got: line.slice(line.indexOf(' ') + 1) };
    }
  }

  /** Skips goals that are met, or impossible on this page. */
  #skipWhatIsThere(): void {
    for (let goal = this.#goal; goal && this.#isOver(goal); goal = this.#goal)
      this.#memory = { ...this.#memory, at: this.#memory.at + 1, seen: [] };
    const { only, quoted: [name = ''] = [] } = this.#goal ?? {};
    const { headings, lines } = this.#sight.page;
    const isFound =
      only !== undefined && headings.includes(name) && lines.some((line) => line.includes(only));
    if (isFound) this.#memory = { ...this.#memory, isFound };
  }

  #isOver(goal: Goal): boolean {
    switch (goal.do) {
      case 'enter':
        return this.#sight.named(goal) === undefined;
      case 'finish':
        return this.#sight.isAtEnd;
      case 'sign-in':
        return !this.#sight.isSignIn;
      case 'see':
        return this.#sight.page.lines.some((line) => within(goal.words, wordsOf(line)));
      case 'act':
      case 'add':
      case 'compare':
      case 'tell':
        return false;
    }
  }

  /** Fills the page's fields from the message, and submits. A form is submitted once, except for sign-ins and corrections. */
  #fillIn(): PolicyCall | undefined {
    const goal = this.#goal;
    const { isSignIn, complaint = '', page } = this.#sight;
    if (goal === undefined ? complaint === '' : goal.only !== undefined) return undefined;
    const entries = entriesFor(this.#sight, this.#message, this.#memory);
    const form = `${page.title}: ${entries.map(({ what }) => what).join(', ')}`.slice(0, 80);
    const isAgain = isSignIn && !/wrong/i.test(complaint);
    if (entries.length === 0 || (this.#memory.sent.includes(form) && !isAgain)) return undefined;
    const intents = entries.map(({ intent }) => intent);
    return this.#send(intents, { sent: [...this.#memory.sent, form], ...(isSignIn && { seen: [] }) });
  }

  /** Submits by the goal's button, else by one that leads on, else by Enter. */
  #send(intents: readonly Intent[], change: Partial<Memory>): PolicyCall {
    const { onward } = this.#sight;
    const wanted = this.#goal?.do === 'act' ? this.#sight.named(this.#goal) : undefined;
    if (wanted !== undefined && wanted !== 'several' && wanted.role === 'button')
      return this.#advance([...intents, this.#tap(wanted)], change);
    const enter = interact({ kind: 'press', key: 'Enter' });
    return this.#go([...intents, onward?.role === 'button' ? this.#tap(onward) : enter], change);
  }

  #reach(): PolicyCall {
    const goal = this.#goal;
    if (goal === undefined) return say(`It is done: ${this.#sight.heading}.`);
    switch (goal.do) {
      case 'tell':
        return goal.best ? this.#tellBest(goal) : this.#tell(goal);
      case 'compare':
        return this.#compare(goal);
      case 'add':
        return this.#add(goal);
      case 'finish':
        return this.#goForward();
      case 'see':
        return this.#goForwardUntil(goal);
      case 'sign-in':
        return say(this.#sight.complaint ?? 'It did not work.');
      case 'enter':
      case 'act':
        return this.#act(goal);
    }
  }

  #act(goal: Goal): PolicyCall {
    if (goal.only !== undefined) return this.#tryNext(goal);
    const target = this.#sight.named(goal);
    if (target === 'several') return { decision: 'clarify', question: `Which ${goal.words.join(' ')}?` };
    if (target) return this.#advance([this.#tap(target)]);
    const best = this.#memory.best ?? this.#sight.bestRow(goal.best);
    const link = goal.best && this.#sight.pressable.find(({ name }) => name === best?.[0]);
    if (link) return goal.words.length === 0 ? this.#advance([this.#tap(link)]) : this.#go([this.#tap(link)]);
    return this.#seek(goal);
  }

  /** Opens each of several elements with the same name in turn. */
  #tryNext({ quoted: [name = ''], words }: Goal): PolicyCall {
    const { pressable } = this.#sight;
    const all = pressable.filter((each) => each.name === name);
    const next = all[this.#memory.seen.length];
    if (next) return this.#go([this.#tap(next)], { seen: [...this.#memory.seen, name] });
    const back = pressable.find(
      (each) => each.role === 'link' && within(wordsOf(each.name), this.#message.words),
    );
    return back && all.length === 0
      ? this.#go([this.#tap(back)])
      : cannot(`there is no ${[name, ...words].join(' ')}`);
  }

  /** The target is not on this page: tries the next month, further pages, more of the list, and links to it. */
  #seek({ words, quoted }: Goal): PolicyCall {
    const isDay = /^\d+ \p{Lu}/u.test(quoted[0] ?? '');
    const next =
      (isDay ? this.#sight.pressableAs(/^next month/i) : undefined) ??
      this.#sight.pressableAs(/^(next page|load more)$/i);
    if (next) return this.#go([this.#tap(next)]);
    if (this.#message.goesBack && this.#memory.got !== undefined)
      return this.#go([interact({ kind: 'close_tab' })]);
    if (this.#message.words.includes('scroll')) return this.#go([scroll]);
    if (this.#message.waits && this.#memory.seen.length < 2)
      return this.#go([pause], { seen: [...this.#memory.seen, 'waited'] });
    const wanted = [...words, ...wordsOf(quoted.join(' '))];
    const way = this.#wayTo(wanted);
    if (way) return this.#go([this.#tap(way)], { seen: [...this.#memory.seen, way.name] });
    return this.#sight.page.isAtEnd ? cannot(`there is no ${wanted.join(' ')}`) : this.#go([scroll]);
  }

  /** The link that shares most words with the target, else one whose words are all in the message. */
  #wayTo(wanted: readonly string[]): PromptElement | undefined {
    const unseen = this.#sight.pressable.filter(
      ({ role, name }) => role === 'link' && !this.#memory.seen.includes(name),
    );
    const worth = ({ name }: PromptElement) => shared(wordsOf(name), wanted);
    const [best] = unseen.filter((link) => worth(link) > 0).toSorted((a, b) => worth(b) - worth(a));
    return best ?? unseen.find(({ name }) => within(wordsOf(name), this.#message.words));
  }

  #add({ words, times = 1 }: Goal): PolicyCall {
    const { pressable, page } = this.#sight;
    const line = page.lines.find((each) => within(words, wordsOf(each)) && /sold out/i.test(each));
    if (line !== undefined) return cannot(line);
    const button = pressable.find(({ name }) => within([...words, 'add'], wordsOf(name)));
    return button
      ? this.#advance(Array(times).fill(this.#tap(button)))
      : cannot(`there is no ${words.join(' ')}`);
  }

  #goForward(): PolicyCall {
    const { onward } = this.#sight;
    return onward ? this.#go([this.#tap(onward)]) : cannot('there is no way on');
  }

  #goForwardUntil({ words }: Goal): PolicyCall {
    const more = this.#sight.pressableAs(/^(load more|next)$/i);
    if (more) return this.#go([this.#tap(more), pause]);
    return this.#message.words.includes('scroll')
      ? this.#go([scroll, pause])
      : cannot(`there is no ${words.join(' ')}`);
  }

  #tell(goal: Goal): PolicyCall {
    const answer = this.#sight.answerTo(goal);
    return answer === undefined ? this.#seek(goal) : say(answer);
  }

  /** Answers with the best row of this page and the following ones. */
  #tellBest(goal: Goal): PolicyCall {
    const best = better(goal.best, this.#sight.bestRow(goal.best), this.#memory.best);
    const next = this.#sight.pressableAs(/^next page$/i);
    if (next && this.#message.isOnAllPages) return this.#go([this.#tap(next)], best ? { best } : {});
    return best ? say(best[1]) : this.#seek(goal);
  }

  /** Opens each item's page, and remembers the best one. */
  #compare(goal: Goal): PolicyCall {
    const { seen } = this.#memory;
    const { heading, page, pressable } = this.#sight;
    const missing = goal.quoted.filter((name) => !seen.includes(name));
    if (!missing.includes(heading)) {
      const link = pressable.find(({ name }) => missing.includes(name));
      return link ? this.#go([this.#tap(link)]) : this.#seek({ ...goal, quoted: missing });
    }
    const line = page.lines.find((each) => goal.best?.of.test(each)) ?? '';
    const [, much = '0'] = goal.best?.of.exec(line) ?? [];
    const best = better(goal.best, [heading, line, much], this.#memory.best);
    const change = { seen: [...seen, heading], ...(best && { best }) };
    const back = [goTo(this.#message.start ?? page.url)];
    return missing.length === 1 ? this.#advance(back, change) : this.#go(back, change);
  }
}
