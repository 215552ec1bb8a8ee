import { KeyboardWanted } from '../../../contracts/resources/room.ts';
import { Type, closed, nullable } from '../../../contracts/schema.ts';
import { limitsOf, type Aim, type Hands, type OperationLimits } from '../node/driver.ts';
import { shape } from '../shape.ts';
import { ask, nothing } from './ask.ts';
import { assertAnswers, besideOperations } from './beside-operations.ts';
import { dialogsOf } from './dialogs.ts';
import type { Instance } from './instance.ts';
import { chord, shortcutOf } from './operations/keyboard.ts';
import { pressShortcut } from './operations/shortcut.ts';
import type { Page } from './page.ts';
import type { KeyStep } from './steps.ts';

/**
 * Time limit in milliseconds for a person's input, which the browser only passes to its display. Text and pastes first wait for earlier
 * keys, pastes and editing commands also for earlier pastes.
 */
const handMs = 5_000;
/** Milliseconds between the announcement of an operation's touch and the touch. */
const announceMs = 200;
/** Time limit in milliseconds for queries of the page, which may be busy. */
const pageMs = 1_000;

const { kind, inputmode, box } = KeyboardWanted.properties;
const wanted = shape(nullable(closed({ kind, inputmode, box, shown: Type.Number() })));
const selected = shape(closed({ text: Type.String() }));

/** Input of a person in the live view, for a real browser. */
export function webKitHands(instance: Instance, page: Page, viewport: Hands['viewport']): Hands {
  const hand = async (input: object): Promise<void> => {
    await instance.during(() => ask(instance, 'hand', input, nothing, limitsOf(handMs)));
  };
  /**
   * Marks the focused field as secret before anything is typed, so that it stays secret even if the page changes its
   * type. Throws, so that nothing is typed, while the page has left too many queries unanswered.
   */
  const keepSecrets = () => {
    assertAnswers(instance);
    void page.run('keyboard', null, wanted, limitsOf(pageMs)).catch(() => undefined);
  };
  /** Presses and releases a key. If the page did not prevent its default, runs the editing command. */
  const shortcut = async (command: string, step: KeyStep, limits: OperationLimits) => {
    if (!(await pressShortcut(page, step, limits))) await hand({ act: 'edit', command });
  };
  return {
    viewport,
    ...aimsOf(instance),
    ...dialogsOf(instance),
    touch: (step) => hand({ act: 'touch', ...step }),
    keyDown: async (name, modifiers) => {
      const step = chord(name, modifiers);
      keepSecrets();
      if (step.type !== 'press') return;
      const command = shortcutOf(name, modifiers);
      if (command !== undefined) return shortcut(command, step, limitsOf(pageMs));
      await hand({ act: 'key_down', name, key: step.key, with: step.held ?? [] });
    },
    keyUp: (name) => hand({ act: 'key_up', name }),
    text: async (text) => {
      keepSecrets();
      await hand({ act: 'text', text });
    },
    paste: async (text) => {
      keepSecrets();
      await hand({ act: 'paste', text });
    },
    ...looksAt(besideOperations(instance, page), viewport),
    lift: () => hand({ act: 'lift' }),
  };
}

/** Announcements of where operations are about to touch. */
function aimsOf({ host, announce }: Instance): Pick<Hands, 'watchAims'> {
  let aimed: ((aim: Aim) => void) | undefined;
  host.onAim((point) => aimed?.({ ...point, in_ms: announceMs }));
  return {
    watchAims: (listener) => {
      aimed = listener;
      announce.ms = announceMs;
      return () => {
        if (aimed !== listener) return;
        aimed = undefined;
        announce.ms = 0;
      };
    },
  };
}

/** Queries of the page for people. */
const looksAt = (page: Page, screen: Hands['viewport']): Pick<Hands, 'selection' | 'keyboard'> => ({
  selection: async () => (await page.run('selection', null, selected, limitsOf(pageMs))).text,
  keyboard: async () => {
    const field = await page.run('keyboard', null, wanted, limitsOf(pageMs));
    return field && { kind: field.kind, inputmode: field.inputmode, box: onScreen(field, screen.width) };
  },
});

/** Converts a box to pixels of the screen, whose width shows `shown` CSS pixels. */
function onScreen(
  { box: { x, y, width, height }, shown }: Pick<KeyboardWanted, 'box'> & { readonly shown: number },
  screen: number,
): KeyboardWanted['box'] {
  const each = screen / Math.max(1, shown);
  return { x: x * each, y: y * each, width: width * each, height: height * each };
}
