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
  ...['activeElement', 'baseURI', 'createRange', 'defaultView', 'documentElement', 'elementFromPoint'],
  ...['head', 'importNode', 'querySelector', 'querySelectorAll'],
];
const prototypes = [
  'Node',
  'CharacterData',
  'Text',
  'Document',
  'DocumentFragment',
  'ShadowRoot',
  'Element',
  'HTMLElement',
  'Range',
];

/** Gives each of them a second name on its prototype, the same in every document. */
const preludeFor = (renamed: readonly string[]): string => `var serviceNames = {};
for (const name of ${JSON.stringify(renamed)}) {
  const symbol = (serviceNames[name] = Symbol.for('service ' + name));
  for (const { prototype } of [${prototypes.join()}]) {
    const own = Object.getOwnPropertyDescriptor(prototype, name);
    if (own) Object.defineProperty(prototype, symbol, { ...own, enumerable: false });
  }
}
`;
/** `this` is an engine of ivya, which has methods with names of nodes' methods. */
const uses = new RegExp(`(?<!\\bthis)(\\?)?\\.(${names.join('|')})\\b`, 'g');
const usesOfDocument = /(?<![\w$.])document\.(\w+)/g;

/**
 * A script that finds these properties on every node, and all properties that it reads from `document`. A form's fields hide its
 * properties by their names: with a field called `getAttribute`, the form has no such method. Forms, frames and images hide properties of
 * their document in the same way. None of them is called by a symbol.
 */
export function withUnhiddenNames(script: string): string {
  const ofNodes = script.replace(
    uses,
    (_use, optional: string | undefined, name: string) =>
      `${optional === undefined ? '' : '?.'}[serviceNames.${name}]`,
  );
  const ofDocument = new Set<string>();
  const unhidden = ofNodes.replace(usesOfDocument, (_use, name: string) => {
    ofDocument.add(name);
    return `document[serviceNames.${name}]`;
  });
  return preludeFor([...names, ...ofDocument]) + unhidden;
}
