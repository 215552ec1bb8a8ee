import { wordsOf } from './words.ts';

/** A field's value: its label in the message's words, and the alternative `or` if the page refuses the value. */
export interface Fact {
  readonly label: readonly string[];
  readonly value: string;
  readonly or?: string;
  /** Content of a file. */
  readonly content?: string;
  readonly isSecret?: boolean;
  /** The value is the name of a line on a page, whose text goes into the field. */
  readonly isShown?: boolean;
}

/** How to compare: the pattern of the value on pages, and whether more is better. */
export interface Best {
  readonly of: RegExp;
  readonly isMost: boolean;
}

export interface Goal {
  /**
   * `act`: tap it. `add`: add that many. `enter`: tap it if present. `finish`: go forward to the end. `see`: continue until it
   * appears. `compare`: open each.
   */
  readonly do: 'act' | 'add' | 'enter' | 'finish' | 'see' | 'sign-in' | 'tell' | 'compare';
  readonly words: readonly string[];
  readonly quoted: readonly string[];
  readonly times?: number;
  readonly best?: Best;
  /** Text that the opened page must contain. */
  readonly only?: string;
}

/** A message as parsed by the rules. */
export interface ReadMessage {
  readonly start: string | undefined;
  readonly facts: readonly Fact[];
  readonly goals: readonly Goal[];
  /** All of its words. */
  readonly words: readonly string[];
  /** Words of a checkbox that must be unchecked. */
  readonly without: readonly string[];
  readonly cookies: RegExp;
  readonly isOnAllPages: boolean;
  readonly goesBack: boolean;
  readonly waits: boolean;
}

const bests: readonly (readonly [RegExp, Best])[] = [
  [/\bcheapest\b/, { of: /([\d.,]+) euros/, isMost: false }],
  [/\blightest\b/, { of: /([\d.,]+) g\b/, isMost: false }],
  [/\b(?:newest|latest)\b/, { of: /(\d{4}-\d\d-\d\d)/, isMost: true }],
  [/\blongest\b/, { of: /([\d.,]+) years/, isMost: true }],
];
const bestOf = (text: string): Best | undefined => bests.find(([pattern]) => pattern.test(text))?.[1];

const address = /https?:\/\/[^\s,"]+[\w/]/g;
const quantities: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3 };

/** A pattern for a field's value in a message; `rest` replaces it in the text, as the remaining action. */
interface Saying {
  readonly pattern: RegExp;
  readonly fact: (...parts: readonly string[]) => Fact;
  readonly rest?: string;
}

const named = (name: string, value: string): Fact => ({ label: wordsOf(name), value });
const isoDate = (date: string): string => {
  const at = new Date(`${date} UTC`);
  return Number.isNaN(at.getTime()) ? date : at.toISOString().slice(0, 10);
};

/** Quoted texts are replaced by numbers in brackets, which `{n}` matches. */
const sayings: readonly Saying[] = [
  {
    pattern: /\ba file {n} with the text {n}/,
    fact: (value = '', content = '') => ({ label: ['file'], value, content }),
  },
  {
    pattern: /([A-Z][\w -]*): {n}, or {n}[^.]*/,
    fact: (name = '', value = '', or = '') => ({ ...named(name, value), or }),
  },
  { pattern: /([A-Z][\w -]*): {n}\.?/, fact: (name = '', value = '') => named(name, value) },
  {
    pattern: /(?:with |and )?the password {n}/,
    fact: (value = '') => ({ ...named('password', value), isSecret: true }),
  },
  { pattern: /\b[Ss]ign in at @ as {n}/, fact: (value = '') => named('User name', value), rest: 'sign in' },
  { pattern: /\b[Ss]ign in at @ as (\w+)/, fact: (value = '') => named('User name', value), rest: 'sign in' },
  { pattern: /with the (customer number) {n}/, fact: (name = '', value = '') => named(name, value) },
  { pattern: /\bchoose {n} for {n}/, fact: (value = '', name = '') => named(name, value) },
  { pattern: /\bsort by {n}/, fact: (value = '') => named('sort', value) },
  { pattern: /\b(new limit) of {n}/, fact: (name = '', value = '') => named(name, value) },
  { pattern: /\bby {n} delivery/, fact: (value = '') => named('delivery', value) },
  { pattern: /\bcheck {n}/, fact: (name = '') => named(name, 'on') },
  {
    pattern: /\btype its (\w+) into {n} on the first page/,
    fact: (value = '', name = '') => ({ ...named(name, value), isShown: true }),
  },
  { pattern: /\bgreet ([A-Z]\w+)/, fact: (value = '') => named('Name', value), rest: 'greet' },
  { pattern: /(?<=Sign up at @) as ([A-Z]\w+ [A-Z]\w+)/, fact: (value = '') => named('Full name', value) },
  { pattern: /, ([\w.]+@[\w.]+\w)/, fact: (value = '') => named('E-mail', value) },
  { pattern: /, born on (\d+ \w+ \d{4})/, fact: (date = '') => named('Birthday', isoDate(date)) },
  { pattern: /, size (\w+)/, fact: (value = '') => named('Size', value) },
  { pattern: /\bwrite the note: (.*?) \(just that text\)/, fact: (value = '') => named('Notes', value) },
  { pattern: /\bSearch for (.*?) on @/, fact: (value = '') => named('Search', value), rest: 'search' },
  {
    pattern: /\bMake my ([\w ]+?) (\w+)\./,
    fact: (name = '', value = '') => named(name, value),
    rest: 'save.',
  },
  { pattern: /\bSave (\w+) as my (\w+)/, fact: (value = '', name = '') => named(name, value), rest: 'save' },
  { pattern: /(?<=\bExport) as (\w+)/, fact: (value = '') => named('Format', value.toLowerCase()) },
  { pattern: /, to (\d[^.]*)/, fact: (value = '') => named('Address', value) },
];

/** Clauses about fields, cookies or the page, which are no goals. */
const unsaid =
  /cookies|necessary$|^(?:i |the one who|this\b|leave|look at all|of its|fill in|the reading is|choose|agree|write|turn|go through|by next|ten more|some \d|five come|there are|really|accept them|scroll down(?!.*until))/i;
const opens = /^(?:now )?(?:open|show(?: me)?|at|go to|on)? ?@$/i;

const picks = ({ quoted }: Goal): readonly Goal[] =>
  quoted.map((each) => ({ do: 'act', words: [], quoted: [each] }));
type GoalsOf = (goal: Goal, parts: readonly string[]) => readonly Goal[];

/** Goals of a clause by the first matching pattern; other clauses ask to tap something. */
const clauses: readonly (readonly [RegExp, GoalsOf])[] = [
  [unsaid, () => []],
  [opens, () => []],
  [/^(?:try again|search)$/i, () => []],
  [
    /^(?:order |put )?(an?|one|two|three) (\w+)/i,
    (goal, [amount = '', item = '']) => [
      { ...goal, do: 'add', words: wordsOf(item), times: quantities[amount.toLowerCase()] ?? 1 },
    ],
  ],
  [/^sign in\b/i, (goal) => [{ ...goal, do: 'sign-in' }]],
  [
    /until (?:it says that )?(.*?)(?: is there)?$/,
    (goal, [awaited = '']) => [{ ...goal, do: 'see', words: wordsOf(awaited) }],
  ],
  [/\b(?:tell|what|which|when|say whether)\b/i, (goal) => [{ ...goal, do: 'tell' }]],
  [
    /^(?:book|register|report|hand in|sign up)\b/i,
    (goal) => [{ ...goal, do: 'enter', quoted: [] }, ...picks(goal)],
  ],
  [/^(?:arrival|departure)\b/, picks],
  [
    /^(.*) by its (\w+)$/,
    (goal, [first = '', way = '']) => [
      { ...goal, words: wordsOf(way) },
      { ...goal, words: wordsOf(first) },
    ],
  ],
];

export function readMessage(message: string): ReadMessage {
  const reader = new Reader(message);
  const facts = reader.takeFacts();
  const has = (pattern: RegExp) => pattern.test(message);
  return {
    start: message.match(address)?.[0],
    facts,
    goals: reader.goals(),
    words: wordsOf(`${message} ${reader.text}`),
    without: wordsOf(/\bwithout (?!fill)(\w+)/.exec(message)?.[1] ?? ''),
    cookies: has(/accept/i)
      ? /accept/i
      : has(/necessary/i)
        ? /necessary|essential/i
        : /reject|decline|refuse|necessary/i,
    isOnAllPages: has(/\ball pages\b/),
    goesBack: has(/on the first page/),
    waits: has(/once it is there/),
  };
}

class Reader {
  readonly #quoted: string[] = [];
  text: string;

  constructor(message: string) {
    this.text = message
      .replace(address, '@')
      .replace(/"([^"]*)"/g, (_, text: string) => `[${this.#quoted.push(text) - 1}]`)
      .replace(/\bTake the (\w+) out\b/, 'Remove $1');
  }

  takeFacts(): readonly Fact[] {
    const facts: Fact[] = [];
    for (const { pattern, fact, rest = '' } of sayings) {
      const exact = new RegExp(pattern.source.replaceAll('{n}', String.raw`(\[\d+\])`), 'g');
      this.text = this.text.replace(exact, (_, ...parts: unknown[]) => {
        const texts = parts.filter((part) => typeof part === 'string').slice(0, -1);
        facts.push(fact(...texts.map(this.#shown)));
        return rest;
      });
    }
    return facts;
  }

  /** Restores quoted texts: without quotes if it is the whole text, otherwise with them. */
  readonly #shown = (text: string): string => {
    const [, alone] = /^\[(\d+)\]$/.exec(text) ?? [];
    if (alone !== undefined) return this.#at(alone);
    return text.replace(/\[(\d+)\]/g, (_, index: string) => `"${this.#at(index)}"`);
  };
  readonly #at = (index: string): string => this.#quoted[Number(index)] ?? '';
  readonly #quotedIn = (text: string): readonly string[] =>
    [...text.matchAll(/\[(\d+)\]/g)].map(([, index = '']) => this.#at(index));

  goals(): readonly Goal[] {
    const compared = this.#takeComparison();
    const asked = this.text
      .split(/[.;:?]\s+|,\s+(?:and |then )?|\band (?:then )?|\bthen\b|[.,?]$/i)
      .map((each) => each.trim())
      .filter((each) => /\w|\[/.test(each));
    const goals = [...compared, ...asked.flatMap((each, at) => this.#goalsOf(each, asked[at + 1] ?? ''))];
    if (!goals.some((goal) => goal.do === 'enter') && !/\b(order|search|try again)\b/i.test(this.text))
      return goals;
    const finish: Goal = {
      do: 'finish',
      words: goals.find((goal) => goal.do === 'enter')?.words ?? [],
      quoted: [],
    };
    const tells = goals.findIndex((goal) => goal.do === 'tell');
    return tells < 0 ? [...goals, finish] : goals.toSpliced(tells, 0, finish);
  }

  #takeComparison(): readonly Goal[] {
    const pattern = /\bCompare the (\w+) of the \w+ ((?:\[\d+\](?:, | and )?)+)/;
    const [whole, words = '', names = ''] = pattern.exec(this.text) ?? [];
    if (whole === undefined) return [];
    const best = bestOf(this.text);
    this.text = this.text.replace(whole, '@');
    return [{ do: 'compare', words: wordsOf(words), quoted: this.#quotedIn(names), ...(best && { best }) }];
  }

  #goalsOf(clause: string, next: string): readonly Goal[] {
    const quoted = this.#quotedIn(clause);
    const best = bestOf(clause);
    const plain = bests.reduce(
      (text, [pattern]) => text.replace(pattern, ''),
      clause.replace(/\[\d+\]|@/g, ' '),
    );
    const goal: Goal = { do: 'act', words: wordsOf(plain), quoted, ...(best && { best }) };
    for (const [pattern, goalsOf] of clauses) {
      const [whole, ...parts] = pattern.exec(clause) ?? [];
      if (whole !== undefined) return goalsOf(goal, parts);
    }
    if (goal.words.length === 0 && best === undefined) return picks(goal);
    const [only] = next.startsWith('the one who') ? this.#quotedIn(next) : [];
    return [only === undefined ? goal : { ...goal, only }];
  }
}
