import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import type { Observation, ObservedElement } from '../../../contracts/resources/observation.ts';
import { targetNames } from '../../../contracts/resources/target.ts';

/** An act as it is compared: on any of these elements. */
interface Act {
  readonly what: string;
  readonly elements: readonly string[];
}

interface FailedAct {
  readonly act: Act;
  /** The page that it left. */
  readonly page: Observation | null;
}

/**
 * The acts of a turn that failed and may have taken effect. None of them is done again unless the page has changed since.
 *
 * - An act is its kind, what it types or chooses, and its element as the page of the look shows it, however it is named.
 * - Scrolling and focus are no change of a page.
 */
export class FailedActs {
  readonly #failed: FailedAct[] = [];

  /** Remembers what failed on the page of one look, with the page of the next. */
  remember(intent: Intent, seen: Observation | null, left: Observation | null): void {
    this.#failed.push({ act: actOf(intent, seen), page: left });
  }

  /** Whether the intent is an act that failed and, by another look at the page if need be, that page has not changed since. */
  async isRepeated(
    intent: Intent,
    seen: Observation | null,
    look: () => Promise<Observation | null>,
  ): Promise<boolean> {
    if (intent.kind === 'wait' || intent.kind === 'capture') return false;
    const act = actOf(intent, seen);
    const same = this.#failed.filter((failed) => isSameAct(failed.act, act));
    if (same.length === 0) return false;
    const now = contentOf(await look());
    return same.some(({ page }) => contentOf(page) === now);
  }
}

const isSameAct = (one: Act, other: Act): boolean =>
  one.what === other.what && one.elements.some((element) => other.elements.includes(element));

const naming: readonly string[] = [...targetNames, 'name'];
type Naming = Partial<Record<(typeof targetNames)[number] | 'name', string>>;

function actOf(intent: Intent, page: Observation | null): Act {
  if (intent.kind !== 'interact') return { what: JSON.stringify(intent), elements: [''] };
  const { action } = intent;
  const isNaming = (key: string) => naming.includes(key) && !(action.kind === 'type' && key === 'text');
  const fields = Object.entries(action);
  const what = JSON.stringify(fields.filter(([key]) => !isNaming(key)).sort());
  const named = Object.fromEntries(fields.filter(([key]) => isNaming(key))) as Naming;
  return { what, elements: elementsOf(named, page) };
}

/** As the page shows it; by its selector or test id, which the page does not show, as it is named. */
function elementsOf(named: Naming, page: Observation | null): readonly string[] {
  const { ref, ...rest } = named;
  const asNamed = ref === undefined ? [JSON.stringify(rest)] : [];
  const elements = page?.elements ?? [];
  const shown = elements.filter((element) => isNamedSo(element, named));
  return [...asNamed, ...shown.map((element) => placed(element, elements))];
}

function isNamedSo(element: ObservedElement, { ref, role, name, label, text, placeholder }: Naming): boolean {
  if (ref !== undefined) return element.ref === ref;
  if (role !== undefined)
    return element.role === role && (name === undefined || isSameText(element.name, name));
  const said = label ?? text ?? placeholder;
  return said !== undefined && isSameText(element.name, said);
}

const isSameText = (one: string, other: string): boolean => plain(one).includes(plain(other));
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** Role and name, with the place among those that are called the same. */
function placed({ ref, role, name }: ObservedElement, elements: readonly ObservedElement[]): string {
  const same = elements.filter((other) => other.role === role && other.name === name);
  return `${role} ${name} ${same.findIndex((other) => other.ref === ref)}`;
}

/** What of a page is compared. */
const contentOf = (page: Observation | null): string =>
  JSON.stringify(
    page && [
      ...[page.url, page.title, page.text, page.dialog],
      page.elements
        .map(({ role, name, value, states = [] }) =>
          JSON.stringify([role, name, value, states.filter((state) => state !== 'focused')]),
        )
        .sort(),
    ],
  );
