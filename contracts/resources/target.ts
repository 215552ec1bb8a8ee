import { Type, closed, type Static } from '../schema.ts';
import { textForms } from '../text-forms.ts';

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength });
export const Selector = text(2000);

/** Selectors of frames, from the outermost inwards. */
export const Frame = Type.Union([Selector, Type.Array(Selector, { minItems: 1, maxItems: 10 })]);

/** The ways to name an element besides `text`. Exactly one is given; `name` only with `role`. */
const namings = {
  /** CSS, through open shadow roots; `>>>` crosses any number of them. */
  selector: Type.Optional(Selector),
  /** The text of its label. */
  label: Type.Optional(text(1000)),
  /** Its explicit or implicit ARIA role. */
  role: Type.Optional(Type.String({ pattern: textForms.ariaRole.pattern, maxLength: 50 })),
  /** Its accessible name; with `role`. */
  name: Type.Optional(text(1000)),
  placeholder: Type.Optional(text(1000)),
  /** Its `data-testid`. */
  test_id: Type.Optional(text(1000)),
  /** Its name in an agent's observation, until the page is replaced. */
  ref: Type.Optional(Type.String({ pattern: textForms.elementRef.pattern, maxLength: 12 })),
  /** Its frame. */
  frame: Type.Optional(Frame),
};

/** An element whose action has a text field of its own. */
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

const naming: ReadonlySet<string> = new Set([...targetNames, 'name']);
/** Whether a field of an action names its element. The `text` of `type` is what it types. */
export const isTargetField = ({ kind }: { readonly kind?: unknown }, field: string): boolean =>
  naming.has(field) && !(kind === 'type' && field === 'text');

/** The matched element, for a later visit to find it again: by CSS, or by its visible description. */
export const MetElement = closed({
  selector: Selector,
  /** Its accessible name, else its visible text, else empty. */
  text: Type.String({ maxLength: 300 }),
  role: Type.String({ maxLength: 50 }),
});
export type MetElement = Static<typeof MetElement>;
