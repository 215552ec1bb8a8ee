/* Adds iPhone features that this WebKit lacks. Runs in each document before any of its scripts, with `finger.js`. */

function presentPhone({ screen: display }) {
  // Wraps a native function, so that the replacement looks native.
  const { get: native } = Object.getOwnPropertyDescriptor(Navigator.prototype, 'platform');
  const define = (target, values) => {
    for (const [name, value] of Object.entries(values)) {
      const get = new Proxy(native, { apply: () => value });
      Object.defineProperty(target, name, { get, configurable: true, enumerable: true });
    }
  };
  define(Navigator.prototype, {
    platform: 'iPhone',
    vendor: 'Apple Computer, Inc.',
    maxTouchPoints: 5,
    hardwareConcurrency: 4,
    standalone: false,
  });
  define(Screen.prototype, {
    width: display.width,
    height: display.height,
    availWidth: display.width,
    availHeight: display.height,
    colorDepth: 24,
    pixelDepth: 24,
  });
  define(window, { orientation: 0, screenX: 0, screenY: 0, onorientationchange: null });
  if (!('orientation' in screen)) {
    const orientation = new EventTarget();
    define(orientation, { type: 'portrait-primary', angle: 0, onchange: null });
    define(Screen.prototype, { orientation });
  }
  presentMedia();
  presentKeyboard();
  presentFinger(define);
}

/** WebKitGTK has no `Meta` key: X's `Super` is presented as one, and as a modifier of keys that are pressed with it. */
function presentKeyboard() {
  const superKeys = ['Super', 'OS', 'Meta'];
  const keyOf = Object.getOwnPropertyDescriptor(KeyboardEvent.prototype, 'key').get;
  const metaOf = Object.getOwnPropertyDescriptor(KeyboardEvent.prototype, 'metaKey').get;
  const isSuper = (event) => event.isTrusted && superKeys.includes(Reflect.apply(keyOf, event, []));
  let isHeld = false;
  addEventListener('keydown', (event) => (isHeld ||= isSuper(event)), { capture: true });
  addEventListener('keyup', (event) => (isHeld &&= !isSuper(event)), { capture: true });
  const present = (name, native, value) =>
    Object.defineProperty(KeyboardEvent.prototype, name, {
      get: new Proxy(native, { apply: (target, event) => value(event) ?? Reflect.apply(target, event, []) }),
      configurable: true,
      enumerable: true,
    });
  present('key', keyOf, (event) => (isSuper(event) ? 'Meta' : undefined));
  const codeOf = Object.getOwnPropertyDescriptor(KeyboardEvent.prototype, 'code').get;
  present('code', codeOf, (event) =>
    isSuper(event) ? Reflect.apply(codeOf, event, []).replace('OS', 'Meta') : undefined,
  );
  present('metaKey', metaOf, (event) => (event.isTrusted && isHeld ? true : undefined));
  // On its own `keyup` a modifier is no longer held.
  for (const [name, key] of [
    ['shiftKey', 'Shift'],
    ['ctrlKey', 'Control'],
    ['altKey', 'Alt'],
  ]) {
    const held = Object.getOwnPropertyDescriptor(KeyboardEvent.prototype, name).get;
    const isUp = (event) =>
      event.isTrusted && event.type === 'keyup' && Reflect.apply(keyOf, event, []) === key;
    present(name, held, (event) => (isUp(event) ? false : undefined));
  }
}

/**
 * Reports a coarse pointer without hover to scripts. Style sheets are evaluated by WebKit, which sees a mouse beside
 * the touchscreen.
 */
function presentMedia() {
  const { matchMedia } = window;
  const answers = { hover: 'none', 'any-hover': 'none', pointer: 'coarse', 'any-pointer': 'coarse' };
  const feature = /\(\s*(any-hover|any-pointer|hover|pointer)\s*(?::\s*([a-z]+)\s*)?\)/gi;
  const asked = (query) =>
    String(query).replace(feature, (_all, name, value) => {
      const answer = answers[name.toLowerCase()];
      const holds = value === undefined ? answer !== 'none' : answer === value.toLowerCase();
      return holds ? '(min-width: 0px)' : '(max-width: 0px)';
    });
  window.matchMedia = new Proxy(matchMedia, {
    apply: (target, self, [query, ...rest]) => Reflect.apply(target, self, [asked(query), ...rest]),
  });
}
