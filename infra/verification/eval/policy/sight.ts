import { better, type Row } from './memory.ts';
import type { Best, Goal, ReadMessage } from './message.ts';
import type { PromptElement, PromptPage } from './prompt.ts';
import { shared, within, wordsOf } from './words.ts';

/** Words of harmful actions, which are done only if the message has the word. */
const dangers = /\b(delete|close|empty|remove|pay|end|cancel|previous|change|sign out)\b/i;
const forward =
  /^(next|continue|to the|proceed|place|confirm|book|order|send|submit|upload|save|show|finish|create|sign in|redeem|cart|check ?out)\b(?! month| page)/i;
const ends = /^(thank|booked|done|welcome|received|registered|reserved|results)/i;
const orders = /^(assistant|system|dear assistant)\b/i;

/** A page, queried for what a message asks. */
export class Sight {
  readonly page: PromptPage;
  readonly #message: ReadMessage;

  constructor(page: PromptPage, message: ReadMessage) {
    this.page = page;
    this.#message = message;
  }

  get heading(): string {
    return this.page.headings[0] ?? this.page.title;
  }

  /** Elements that can be acted on, except for harmful ones that the message does not ask for. */
  get elements(): readonly PromptElement[] {
    return this.page.elements.filter(({ name, states }) => {
      const [harm] = dangers.exec(name) ?? [];
      const isFree = !states.includes('disabled') && !states.includes('covered');
      return isFree && (harm === undefined || within(wordsOf(harm), this.#message.words));
    });
  }

  get pressable(): readonly PromptElement[] {
    return this.elements.filter(({ role }) => role === 'button' || role === 'link');
  }

  get isAtEnd(): boolean {
    return ends.test(this.heading);
  }

  /** The page's error message about the submitted form. */
  get complaint(): string | undefined {
    return this.page.lines.find((line) => /taken|needed|please|wrong|have to/i.test(line));
  }

  get isSignIn(): boolean {
    return this.elements.some(
      ({ role, name }) => role === 'textbox' && /password|user name|customer number/i.test(name),
    );
  }

  pressableAs = (pattern: RegExp): PromptElement | undefined =>
    this.pressable.find(({ name }) => pattern.test(name));

  /** The element that leads on; buttons are preferred to links. */
  get onward(): PromptElement | undefined {
    const all = this.pressable.filter(({ name }) => forward.test(name));
    return all.find(({ role }) => role === 'button') ?? all[0];
  }

  /** The button of a covering banner that the message asks for. */
  get bannerAnswer(): PromptElement | undefined {
    if (!this.page.elements.some(({ states }) => states.includes('covered'))) return undefined;
    return this.pressableAs(this.#message.cookies) ?? this.pressableAs(/settings|options|manage/i);
  }

  /** The goal's element: one, none, or several that cannot be distinguished. */
  named({ words, quoted: [quoted] }: Goal): PromptElement | 'several' | undefined {
    const all = this.pressable;
    if (quoted !== undefined) {
      const exact = all.filter(({ name }) => name.includes(quoted));
      const meant = exact.find(({ name }) => shared(words, wordsOf(name)) === words.length);
      if (meant) return meant;
    }
    // A count is not part of a name.
    const counted = words.some((word) => /^\d+$/.test(word));
    const nameOf = (name: string) => wordsOf(name).filter((word) => counted || !/^\d+$/.test(word));
    const [found] = all
      .filter(({ name }) => within(nameOf(name), words))
      .toSorted((a, b) => wordsOf(b.name).length - wordsOf(a.name).length);
    const fit =
      found ??
      all.find(({ name }) => within(wordsOf(name), this.#message.words) && shared(wordsOf(name), words) > 0);
    if (!fit) return undefined;
    const same = all.filter(({ role, name }) => role === fit.role && name === fit.name);
    if (same.length === 1 && quoted === undefined) return fit;
    const others =
      quoted === undefined ? words.filter((word) => !wordsOf(fit.name).includes(word)) : wordsOf(quoted);
    const row = this.#rowsOf(fit.name).findIndex((text) => within(others, wordsOf(text)));
    return same[row] ?? (quoted === undefined ? 'several' : undefined);
  }

  /** The text before each occurrence of a name, from the previous occurrence. */
  #rowsOf(name: string): readonly string[] {
    const pattern = name.replace(/[^\p{L}\d ]/gu, String.raw`\$&`);
    return this.page.lines
      .join('\n')
      .split(new RegExp(`\\b${pattern}$`, 'm'))
      .slice(0, -1);
  }

  /** The best row of this page; a row begins with an element's name. */
  bestRow(best: Best | undefined): Row | undefined {
    let found: Row | undefined;
    for (const { name } of best ? this.page.elements : []) {
      const line = this.page.lines.find((each) => each.startsWith(name) && best?.of.test(each));
      const [, much] = best?.of.exec(line ?? '') ?? [];
      if (line !== undefined && much !== undefined) found = better(best, [name, line, much], found);
    }
    return found;
  }

  /**
   * The line that answers a question: it has words of the question and others, and line and page together have all words of the
   * question.
   */
  answerTo({ words, quoted }: Goal): string | undefined {
    const asked = [...words, ...wordsOf(quoted.join(' '))];
    const about = wordsOf([this.page.title, ...this.page.headings].join(' '));
    const names = new Set([...this.page.headings, ...this.page.elements.map(({ name }) => name)]);
    const answers = this.page.lines
      .filter((line) => !names.has(line) && !orders.test(line))
      .map((line) => ({ line, of: wordsOf(line) }))
      .filter(({ of }) => shared(asked, of) > 0 && of.some((word) => !asked.includes(word)))
      .filter(({ of }) => within(asked, [...of, ...about, ...(of.includes('euro') ? ['price'] : [])]))
      .toSorted((a, b) => shared(asked, b.of) / b.of.length - shared(asked, a.of) / a.of.length);
    return answers[0]?.line;
  }
}
