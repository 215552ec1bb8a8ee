import { expect } from 'chai';
import ts from 'typescript';
import { bundlePageScripts } from './page-scripts.ts';

/** Names that a form has too. Nothing reads these of a form: they are of results, of selectors that ivya has parsed, and of other elements. */
const ofOthers = [
  ...['DOCUMENT_NODE', 'DOCUMENT_POSITION_FOLLOWING', 'ELEMENT_NODE', 'TEXT_NODE', 'after', 'attributes'],
  ...['children', 'elements', 'hidden', 'id', 'length', 'matches', 'name', 'offsetLeft', 'offsetTop', 'role'],
  ...['submit', 'target', 'title'],
];

/** The names of all properties of a form, by the declarations of the DOM. */
function namesOfForms(): ReadonlySet<string> {
  const file = 'form.ts';
  const options: ts.CompilerOptions = { lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'], types: [] };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  const form = ts.createSourceFile(file, 'type Form = HTMLFormElement', ts.ScriptTarget.Latest, true);
  host.getSourceFile = (name, ...how) => (name === file ? form : getSourceFile(name, ...how));
  const checker = ts.createProgram([file], options, host).getTypeChecker();
  const [declared] = form.statements;
  if (!declared) throw new Error('The file declares a type.');
  return new Set(
    checker
      .getTypeAtLocation(declared)
      .getProperties()
      .map(({ name }) => name),
  );
}

/** The names by which a script reads properties, also those that it takes apart. */
function namesReadIn(script: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && !['serviceNames', 'this'].includes(node.expression.getText()))
      found.add(node.name.text);
    if (ts.isBindingElement(node)) found.add((node.propertyName ?? node.name).getText());
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile('script.js', script, ts.ScriptTarget.Latest, true));
  return found;
}

describe('the script in pages', () => {
  it('reads no property of a form by a name that a field of the form may have', async () => {
    const ofForms = namesOfForms();
    const { service } = await bundlePageScripts();
    const read = [...namesReadIn(service)].filter((name) => ofForms.has(name));
    expect(read.toSorted()).to.deep.equal(ofOthers);
  });
});
