/* Our scripts. They run in a world of their own: the page's documents are theirs to read, its scripts are not there. */

class Failure extends Error {
  constructor(category, message) {
    super(message);
    this.category = category;
  }
}

async function answer(operation, input) {
  try {
    return JSON.stringify({ value: (await operation(JSON.parse(input))) ?? null });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return JSON.stringify({ failure: { category: error.category, reason: error.message } });
  }
}

function all(selector, scope = document) {
  try {
    return [...scope.querySelectorAll(selector)];
  } catch {
    throw new Failure('invalid_request', 'The selector is not a valid CSS selector.');
  }
}

function one(selector, scope) {
  const found = all(selector, scope);
  const element = found.find(isVisible) ?? found[0];
  if (!element) throw new Failure('element_not_found', 'No element matches the selector.');
  return element;
}

function isVisible(element) {
  const { width, height } = element.getBoundingClientRect();
  const { visibility, display } = getComputedStyle(element);
  return width > 0 && height > 0 && visibility === 'visible' && display !== 'none';
}

function changed(element) {
  element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

/** A selector for exactly this element, as long as the page stays as it is. */
function pathOf(element) {
  const steps = [];
  for (let node = element; node.parentElement; node = node.parentElement) {
    steps.unshift(
      `${CSS.escape(node.localName)}:nth-child(${[...node.parentElement.children].indexOf(node) + 1})`,
    );
  }
  return [':root', ...steps].join(' > ');
}

const takesText = (element) =>
  element.isContentEditable ||
  (element.matches(
    'textarea, input:not([type="button"], [type="submit"], [type="reset"], [type="checkbox"], [type="radio"], ' +
      '[type="file"], [type="image"], [type="hidden"])',
  ) &&
    !element.readOnly &&
    !element.disabled);

const textOf = (element) => (element.innerText ?? element.textContent ?? '').trim();

/** How an element or the document stands to a condition. */
const conditions = {
  selector: ({ selector, state = 'visible' }) => {
    const found = all(selector);
    const visible = found.some(isVisible);
    return { visible, attached: found.length > 0, hidden: !visible, detached: found.length === 0 }[state];
  },
  text: ({ text, selector }) =>
    (selector === undefined ? [document.body ?? document.documentElement] : all(selector)).some((element) =>
      textOf(element).includes(text),
    ),
  url: ({ pattern }) => matcher(pattern).test(location.href),
};

/** A glob: `*` within a path step, `**` across them, `?` any one character; or a regular expression between slashes. */
function matcher(pattern) {
  try {
    const expression = /^\/(.+)\/$/.exec(pattern);
    if (expression) return new RegExp(expression[1]);
  } catch {
    throw new Failure('invalid_request', 'The pattern is not a valid regular expression.');
  }
  const source = pattern.replace(/\*\*|[*?]|[.+^${}()|[\]\\]/g, (part) => {
    return { '**': '.*', '*': '[^/]*', '?': '.' }[part] ?? `\\${part}`;
  });
  return new RegExp(`^${source}$`);
}

/** Values a schema asks for: `x-selector` names the element, `x-attribute` the attribute, else its text is taken. */
const extractors = {
  object: (schema, scope, path) => {
    const value = {};
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const found = extract(property, scope, `${path}/${name}`, name);
      if (found !== undefined) value[name] = found;
    }
    for (const name of schema.required ?? []) {
      if (!(name in value)) unsatisfied(`${path}/${name}`);
    }
    return Object.keys(value).length === 0 ? undefined : value;
  },
  array: (schema, scope, path, name) => {
    const own = schema['x-selector'];
    const { 'x-selector': inner, ...items } = schema.items ?? {};
    const found = all(own ?? inner ?? byName(name), scope).map((element, index) =>
      own === undefined || inner === undefined
        ? extractFrom(items, element, `${path}/${index}`)
        : extract(schema.items, element, `${path}/${index}`),
    );
    return found.filter((value) => value !== undefined);
  },
  string: (schema, element) => {
    const attribute = schema['x-attribute'];
    if (attribute === undefined)
      return element.matches('input, textarea, select') ? element.value : textOf(element);
    const value = element.getAttribute(attribute);
    if (value === null) return undefined;
    return ['href', 'src', 'action'].includes(attribute) ? new URL(value, document.baseURI).href : value;
  },
  number: (schema, element) => {
    const text = extractors.string(schema, element) ?? '';
    const digits = /-?\d[\d,]*(\.\d+)?/.exec(text)?.[0].replaceAll(',', '');
    return digits === undefined ? undefined : Number(digits);
  },
  integer: (schema, element) => {
    const value = extractors.number(schema, element);
    return Number.isInteger(value) ? value : undefined;
  },
  boolean: (schema, element) => {
    const attribute = schema['x-attribute'];
    if (attribute !== undefined) return element.hasAttribute(attribute);
    return typeof element.checked === 'boolean' ? element.checked : true;
  },
};

function unsatisfied(path) {
  throw new Failure(
    'condition_not_met',
    `What the page holds does not satisfy the schema at ${path || '/'}.`,
  );
}

/** Where a property without `x-selector` is looked for. */
function byName(name) {
  if (name === undefined) return ':scope';
  const escaped = CSS.escape(name);
  return `[itemprop="${escaped}"], [data-field="${escaped}"], [name="${escaped}"], #${escaped}, .${escaped}`;
}

/** A document has no text of its own; its element has. */
const elementOf = (scope) => scope.documentElement ?? scope;

const typeOf = ({ type, properties, items }) => type ?? (properties ? 'object' : items ? 'array' : 'string');

function extract(schema, scope, path, name) {
  const type = typeOf(schema);
  if (type === 'array') return extractFrom(schema, scope, path, name);
  if (type === 'object' && schema['x-selector'] === undefined) return extractFrom(schema, scope, path);
  const selector = schema['x-selector'] ?? byName(name);
  const element = selector === ':scope' ? elementOf(scope) : all(selector, scope)[0];
  return element && extractFrom(schema, element, path);
}

function extractFrom(schema, scope, path, name) {
  const read = extractors[typeOf(schema)];
  if (!read)
    throw new Failure('invalid_request', `The schema asks for a type at ${path || '/'} that is not known.`);
  const value = read(schema, scope, path, name);
  if (value !== undefined && schema.enum && !schema.enum.includes(value)) unsatisfied(path);
  return value;
}

/** Whether nothing was found, in lists and objects neither. */
function isEmpty(found) {
  if (Array.isArray(found)) return found.every(isEmpty);
  if (typeof found === 'object' && found !== null) return Object.values(found).every(isEmpty);
  return found === undefined;
}

/** The visible fields a person would fill to sign in. */
function loginForm({ username, password, otp, submit }) {
  const visible = (selector) => all(selector).find((element) => isVisible(element) && !element.disabled);
  const secret = visible(password ?? 'input[type="password"]');
  const code = visible(
    otp ??
      'input[autocomplete="one-time-code"], input[name*="otp" i], input[name*="code" i], input[id*="otp" i]',
  );
  const name = visible(
    username ??
      'input[autocomplete~="username"], input[type="email"], input[name*="user" i], input[name*="email" i], ' +
        'input[name*="login" i], form:has(input[type="password"]) input[type="text"]',
  );
  const form = (secret ?? code ?? name)?.form ?? document;
  const button = submit
    ? visible(submit)
    : all('button[type="submit"], input[type="submit"], button:not([type])', form).find(isVisible);
  const described = (element) => element && { selector: pathOf(element), type: element.type ?? 'text' };
  return {
    username: described(name === code ? undefined : name) ?? null,
    password: described(secret) ?? null,
    otp: described(code) ?? null,
    submit: button ? pathOf(button) : null,
  };
}

const operations = {
  /** Brings the element into view and gives its middle, in CSS pixels of the viewport. */
  locate: ({ selector }) => {
    const element = one(selector);
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    if (!isVisible(element)) throw new Failure('element_not_found', 'The element is not visible.');
    return { x: left + width / 2, y: top + height / 2 };
  },
  focus: ({ selector, clear = false, caret = 'keep' }) => {
    const element = one(selector);
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    element.focus({ preventScroll: true });
    if (clear) operations.clear({ selector });
    else if (caret === 'end' && typeof element.value === 'string') {
      try {
        element.setSelectionRange(element.value.length, element.value.length);
      } catch {
        // Fields such as `email` have no caret to set: theirs is at the end after focus.
      }
    }
    return { editable: takesText(element) };
  },
  clear: ({ selector }) => {
    const element = one(selector);
    if (element.isContentEditable) element.textContent = '';
    else element.value = '';
    changed(element);
  },
  select: ({ selector, values }) => {
    const element = one(selector);
    const options = [...(element.options ?? [])];
    const chosen = options.filter(
      (option) => values.includes(option.value) || values.includes(option.text.trim()),
    );
    if (chosen.length < values.length) throw new Failure('element_not_found', 'The list has no such option.');
    for (const option of options) option.selected = chosen.includes(option);
    changed(element);
  },
  checked: ({ selector }) => {
    const element = one(selector);
    if (typeof element.checked !== 'boolean')
      throw new Failure('invalid_request', 'The element is no check box.');
    return { checked: element.checked };
  },
  scroll: ({ selector, delta_x = 0, delta_y = 0 }) => {
    const target = selector === undefined ? document.scrollingElement : one(selector);
    if (!target) throw new Failure('scroll_failed', 'There is nothing to scroll.');
    if (selector !== undefined && delta_x === 0 && delta_y === 0)
      target.scrollIntoView({ block: 'center', behavior: 'instant' });
    else target.scrollBy({ left: delta_x, top: delta_y, behavior: 'instant' });
  },
  viewport: () => ({ width: innerWidth, height: innerHeight }),
  holds: ({ kind, ...condition }) => ({ holds: conditions[kind](condition) }),
  state: () => {
    try {
      return { title: document.title, local_storage: { ...localStorage } };
    } catch {
      // A page without an origin has no storage to read.
      return { title: document.title, local_storage: {} };
    }
  },
  /** Addresses of the frames of which some part can be seen by scrolling. */
  inSight: () => {
    const isThere = (frame) => {
      const { right, bottom } = frame.getBoundingClientRect();
      return isVisible(frame) && right + scrollX > 0 && bottom + scrollY > 0;
    };
    return {
      url: location.href,
      frames: all('iframe')
        .filter(isThere)
        .map(({ src }) => src),
    };
  },
  html: () => {
    const { doctype } = document;
    return { html: (doctype ? `<!DOCTYPE ${doctype.name}>\n` : '') + document.documentElement.outerHTML };
  },
  extract: ({ schema, selector }) => {
    const scope = selector === undefined ? document : all(selector)[0];
    const data = scope && extract(schema, scope, '');
    return { data: data ?? null, matched: !isEmpty(data) };
  },
  results: ({ result, title, link, snippet, limit }) => {
    const found = all(result).flatMap((element) => {
      const anchor = all(link, element)[0] ?? (element.matches(link) ? element : undefined);
      const heading = all(title, element)[0] ?? anchor;
      if (!anchor?.href) return [];
      const text = snippet === undefined ? undefined : all(snippet, element)[0];
      return [{ title: textOf(heading), url: anchor.href, snippet: text ? textOf(text) : null }];
    });
    return { results: found.slice(0, limit).map((entry, index) => ({ position: index + 1, ...entry })) };
  },
  loginForm,
};
