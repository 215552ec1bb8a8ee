/** Properties that only nodes have in our scripts and their libraries. */
const names = [
  ...[
    'assignedSlot',
    'childNodes',
    'classList',
    'closest',
    'compareDocumentPosition',
    'contains',
    'firstChild',
  ],
  ...['firstElementChild', 'getAttribute', 'getBoundingClientRect', 'getClientRects', 'getRootNode'],
  ...[
    'hasAttribute',
    'innerText',
    'isConnected',
    'localName',
    'nextElementSibling',
    'nextSibling',
    'nodeName',
  ],
  ...['nodeType', 'ownerDocument', 'parentElement', 'parentNode', 'tagName', 'textContent'],
];
const prototypes = [
  'Node',
  'CharacterData',
  'Text',
  'Document',
  'DocumentFragment',
  'Element',
  'HTMLElement',
  'Range',
];

/** Gives each of them a second name on its prototype, the same in every document. */
const prelude = `var serviceNames = {};
for (const name of ${JSON.stringify(names)}) {
  const symbol = (serviceNames[name] = Symbol.for('service ' + name));
  for (const { prototype } of [${prototypes.join()}]) {
    const own = Object.getOwnPropertyDescriptor(prototype, name);
    if (own) Object.defineProperty(prototype, symbol, { ...own, enumerable: false });
  }
}
`;
const uses = new RegExp(`(\\?)?\\.(${names.join('|')})\\b`, 'g');

/**
 * A script that finds these properties on every element. A form's fields hide its properties by their names: with a field called
 * `getAttribute`, the form has no such method. No field is called by a symbol.
 */
export const withUnhiddenNames = (script: string): string =>
  prelude +
  script.replace(
    uses,
    (_use, optional: string | undefined, name: string) =>
      `${optional === undefined ? '' : '?.'}[serviceNames.${name}]`,
  );
