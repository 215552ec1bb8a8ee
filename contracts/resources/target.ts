import { Type, closed, type Static } from '../schema.ts';
import { textForms } from '../text-forms.ts';

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
export const Selector = text(2000);

/** By selectors, from the outermost frame inwards. */
export const Frame = Type.Union([Selector, Type.Array(Selector, { minItems: 1, maxItems: 10 })]);

/** The ways to name an element besides `text`. Exactly one is given, with `name` beside `role`. */
const namings = {
  /** CSS, through open shadow roots; `>>>` goes down any number of them. */
  selector: Type.Optional(Selector),
  /** The text of its label. */
  label: Type.Optional(text(1000)),
  /** Its ARIA role, own or implied. */
  role: Type.Optional(Type.String({ pattern: textForms.ariaRole.pattern, maxLength: 50 })),
  /** Its accessible name; beside `role`. */
  name: Type.Optional(text(1000)),
  placeholder: Type.Optional(text(1000)),
  /** Its `data-testid`. */
  test_id: Type.Optional(text(1000)),
  /** What an agent observed it as; until the page goes. */
  ref: Type.Optional(Type.String({ pattern: textForms.elementRef.pattern, maxLength: 12 })),
  /** The frame that it is in. */
  frame: Type.Optional(Frame),
};

/** An element whose action has a text of its own. */
export const fieldTarget = namings;
export const elementTarget = {
  ...namings,
  /** Its visible text. */
  text: Type.Optional(text(1000)),
};

export const Target = Type.Object(elementTarget);
export type Target = Static<typeof Target>;

/** The mutually exclusive ways to name a target. */
export const targetNames = ['selector', 'text', 'label', 'role', 'placeholder', 'test_id', 'ref'] as const;

/** The element that an action met, as a later visit can find it again: by CSS, or by what people see of it. */
export const MetElement = closed({
  selector: Selector,
  /** Its accessible name or, without one, the text that it shows; empty where it has neither. */
  text: Type.String({ maxLength: 300 }),
  role: Type.String({ maxLength: 50 }),
});
export type MetElement = Static<typeof MetElement>;
