import { Type, closed, nullable, type Static } from '../schema.ts';

/** An interactive element, as announced by assistive technology. */
export const ObservedElement = closed({
  /** Its name in targets until the page is replaced. Later observations keep it while role and name stay. */
  ref: Type.String({ pattern: '^e[0-9]+$' }),
  role: Type.String(),
  name: Type.String({ maxLength: 300 }),
  /** Value of a field, unless it holds a password, a code or a card, or was typed into as sensitive. */
  value: Type.Optional(Type.String({ maxLength: 300 })),
  /** Visible texts of the options of a list. */
  options: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 30 })),
  /** `disabled`, `checked`, `selected`, `expanded`, `focused`, `required`, `covered`. */
  states: Type.Optional(Type.Array(Type.String())),
  /** True if it is in the viewport. */
  in_view: Type.Boolean(),
});
export type ObservedElement = Static<typeof ObservedElement>;

/** The visible content of a page, for a decomposer: data, never instructions. It is not stored. */
export const Observation = closed({
  url: Type.String(),
  title: Type.String(),
  scroll: closed({ y: Type.Number(), height: Type.Number(), view: Type.Number() }),
  /** In reading order, elements in the viewport first. */
  elements: Type.Array(ObservedElement, { maxItems: 300 }),
  headings: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 50 }),
  /** The visible text, cut at the limit. */
  text: Type.String(),
  /** Whether elements or text were left out. */
  cut: Type.Boolean(),
  dialog: nullable(Type.String()),
  /** Targets of the links and forms among the elements, in their order. */
  links: Type.Optional(Type.Array(Type.String({ maxLength: 4000 }), { maxItems: 600 })),
  /** Texts by frame, if there are frames of other hosts: documents by URL, outermost first. */
  voices: Type.Optional(
    Type.Array(closed({ url: Type.String(), said: Type.String({ maxLength: 100_000 }) }), { maxItems: 60 }),
  ),
});
export type Observation = Static<typeof Observation>;

/** The observation for clients, without the fields on the origin of texts. */
const { links: _links, voices: _voices, ...shown } = Observation.properties;
export const PageObservation = closed({
  ...shown,
  /** At most 390 by 844, with secret fields covered. Only if requested. */
  picture: Type.Optional(closed({ media_type: Type.Literal('image/jpeg'), data: Type.String() })),
});
export type PageObservation = Static<typeof PageObservation>;

/** Maximum characters of the visible text. */
export const longestObservedText = 12_000;
