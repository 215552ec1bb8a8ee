import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import type { Observation, ObservedElement } from '../../../contracts/resources/observation.ts';
import { isTargetField, type Target } from '../../../contracts/resources/target.ts';

/** An act for comparison, on any of these elements. */
interface Act {
  readonly what: string;
  readonly elements: readonly string[];
  /** Null if it is not an act on an element. */
  readonly target: Target | null;
}

interface FailedAct {
  readonly act: Act;
  /** The first observed page after the failure; null until one could be observed. */
  readonly page: Observation | null;
}

/**
 * Acts of a turn that failed and may have taken effect. They are not repeated unless the page has changed since. A page that cannot be
 * observed does not count as changed.
 *
 * - Two acts are the same if they have the same kind, type or choose the same, and are on the same element, however
 *   the intents name it. Elements are compared as the observation shows them and as the browser finds them.
 * - Scrolling and a move of the focus do not count as changes of a page.
 */
export class FailedActs {
  #failed: readonly FailedAct[] = [];
  readonly #find: (target: Target) => Promise<string | null>;

  /**
   * `find` returns the selector of the target's element on the active page, the same for every name of the element;
   * null if it finds none.
   */
  constructor(find: (target: Target) => Promise<string | null>) {
    this.#find = find;
  }

  /** Records a failed intent, with the observation before it. */
  async remember(intent: Intent, seen: Observation | null): Promise<void> {
    const act = await this.#found(actOf(intent, seen));
    this.#failed = [...this.#failed, { act, page: null }];
  }

  /** Records an observation after the acts so far; null: the page could not be observed. */
  see(page: Observation | null): void {
    this.#failed = this.#failed.map((failed) => (failed.page === null ? { ...failed, page } : failed));
  }

  /**
   * Whether the intent repeats a failed act on a page that has not changed since. Observes the page again only if a
   * similar act has failed.
   */
  async isRepeated(
    intent: Intent,
    seen: Observation | null,
    look: () => Promise<Observation | null>,
  ): Promise<boolean> {
    if (intent.kind === 'wait' || intent.kind === 'capture') return false;
    const act = actOf(intent, seen);
    const alike = this.#failed.filter((failed) => failed.act.what === act.what);
    if (alike.length === 0) return false;
    const now = await look();
    const since = alike.filter(({ page }) => page === null || now === null || isSame(page, now));
    if (since.length === 0) return false;
    const { elements } = await this.#found(act);
    return since.some((failed) => failed.act.elements.some((element) => elements.includes(element)));
  }

  /** The act; its elements include the one that the browser finds. */
  async #found(act: Act): Promise<Act> {
    const selector = act.target && (await this.#find(act.target));
    return selector === null ? act : { ...act, elements: [...act.elements, `found ${selector}`] };
  }
}

function actOf(intent: Intent, page: Observation | null): Act {
  if (intent.kind !== 'interact') return { what: JSON.stringify(intent), elements: [''], target: null };
  const { action } = intent;
  const fields = Object.entries(action);
  const what = JSON.stringify(fields.filter(([key]) => !isTargetField(action, key)).sort());
  // A found selector is relative to its frame, so `frame` is compared as a part of the act as well.
  const target = Object.fromEntries(
    fields.filter(([key]) => isTargetField(action, key) || key === 'frame'),
  ) as Target;
  return { what, elements: elementsOf(target, page), target };
}

/**
 * The named elements as the page shows them. A name other than a `ref` is compared too, because pages do not show
 * selectors and test ids.
 */
function elementsOf(named: Target, page: Observation | null): readonly string[] {
  const { ref, ...rest } = named;
  const asNamed = ref === undefined ? [JSON.stringify(rest)] : [];
  const elements = page?.elements ?? [];
  const shown = elements.filter((element) => isNamedSo(element, named));
  return [...asNamed, ...shown.map((element) => placed(element, elements))];
}

function isNamedSo(element: ObservedElement, { ref, role, name, label, text, placeholder }: Target): boolean {
  if (ref !== undefined) return element.ref === ref;
  if (role !== undefined)
    return element.role === role && (name === undefined || isSameText(element.name, name));
  const said = label ?? text ?? placeholder;
  return said !== undefined && isSameText(element.name, said);
}

const isSameText = (one: string, other: string): boolean => plain(one).includes(plain(other));
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** Role and name, with the index among elements that have the same. */
function placed({ ref, role, name }: ObservedElement, elements: readonly ObservedElement[]): string {
  const same = elements.filter((other) => other.role === role && other.name === name);
  return `${role} ${name} ${same.findIndex((other) => other.ref === ref)}`;
}

const isSame = (one: Observation, other: Observation): boolean => contentOf(one) === contentOf(other);

/** The compared parts of a page. */
const contentOf = ({ url, title, text, dialog, elements }: Observation): string =>
  JSON.stringify([
    ...[url, title, text, dialog],
    elements
      .map(({ role, name, value, states = [] }) =>
        JSON.stringify([role, name, value, states.filter((state) => state !== 'focused')]),
      )
      .sort(),
  ]);
