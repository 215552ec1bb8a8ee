/** Properties of nodes that our scripts and their libraries use, and that nothing else in them has. */
const names = [
  ...['append', 'assignedSlot', 'blur', 'checkVisibility', 'childNodes', 'classList', 'clientHeight'],
  ...['clientLeft', 'clientTop', 'clientWidth', 'closest', 'compareDocumentPosition', 'contains'],
  ...['dispatchEvent', 'draggable', 'firstChild', 'firstElementChild', 'focus', 'getAttribute'],
  ...['getBoundingClientRect', 'getClientRects', 'getRootNode', 'hasAttribute', 'innerText'],
  ...['isConnected', 'isContentEditable', 'localName', 'nextElementSibling', 'nextSibling', 'nodeName'],
  ...['nodeType', 'nodeValue', 'offsetHeight', 'offsetWidth', 'outerHTML', 'ownerDocument'],
  ...['parentElement', 'parentNode', 'previousElementSibling', 'removeAttribute', 'replaceChildren'],
  ...['scrollBy', 'scrollHeight', 'scrollIntoView', 'scrollIntoViewIfNeeded', 'scrollLeft', 'scrollTop'],
  ...['scrollWidth', 'shadowRoot', 'tabIndex', 'tagName', 'textContent'],
  ...['activeElement', 'baseURI', 'createRange', 'defaultView', 'documentElement', 'elementFromPoint'],
  ...['head', 'importNode', 'querySelector', 'querySelectorAll'],
];
/** Of an element with a selector only: results have this name too, and engines of ivya a method with more arguments. */
const matches = 'matches(?=\\((?![\\w$]+,))';
const prototypes = [
  'EventTarget',
  'Node',
  'CharacterData',
  'Text',
  'Document',
  'DocumentFragment',
  'ShadowRoot',
  'Element',
  'HTMLElement',
  'SVGElement',
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
const uses = new RegExp(`(?<!\\bthis)(\\?)?\\.(${matches}|(?:${names.join('|')})\\b)`, 'g');
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
  return preludeFor([...names, 'matches', ...ofDocument]) + unhidden;
}
