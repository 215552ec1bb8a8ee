import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as ts from 'typescript';
import { Message } from '../../../contracts/resources/agent-turn.ts';
import { CreateApiKey } from '../../../contracts/resources/api-key.ts';
import { CreateRecipe } from '../../../contracts/resources/recipe.ts';
import { CreateSession } from '../../../contracts/resources/session.ts';
import { filled } from '../../console/strings.ts';

const root = fileURLToPath(new URL('../../console/', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
const read = (file: string): string => readFileSync(root + file, 'utf8');

type Text = ts.StringLiteralLike | ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail;

const isText = (node: ts.Node): node is Text =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddle(node) ||
  ts.isTemplateTail(node);

const hasLetter = (text: string): boolean => /\p{L}/u.test(text);
const isSentence = (text: string): boolean => /\p{L}{2,}[,.:]? \p{L}/u.test(text);

/** Attributes with visible or spoken text of any element; of components also title, label and the like. */
const spoken = /^(aria-(label|description|roledescription|valuetext)|alt|placeholder|title|label|hint)$/;
/** Attributes whose values may have several words without being text. */
const forPrograms = /^(class|d|viewBox|sizes|rel|autocomplete)$/;

/** User-visible texts in a source file, which belong in a file of strings. */
function wordsIn(file: string, source = read(file)): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node) && hasLetter(node.text)) found.push(node.text.trim());
    if (isText(node) && hasLetter(node.text) && isRead(node)) found.push(node.text);
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return found.map((text) => `${file}: ${text}`);
}

function isRead(node: Text): boolean {
  const { parent } = node;
  if (ts.isJsxAttribute(parent)) {
    const name = parent.name.getText();
    return spoken.test(name) || (isSentence(node.text) && !forPrograms.test(name));
  }
  return isSentence(node.text) && !isClass(node) && !isSelector(node);
}

/** True for a list of classes in an expression. */
const isClass = (node: ts.Node): boolean =>
  ts.isJsxAttribute(node) ? node.name.getText() === 'class' : !ts.isSourceFile(node) && isClass(node.parent);

const isSelector = ({ parent }: ts.Node): boolean =>
  ts.isCallExpression(parent) && /\.(querySelector(All)?|matches|closest)$/.test(parent.expression.getText());

/** Which kinds of bidirectional controls are open at the end of a text. */
function openAtTheEndOf(text: string): readonly string[] {
  const open: ('embedding' | 'isolate')[] = [];
  for (const each of text)
    if (/[\u202A\u202B\u202D\u202E]/.test(each)) open.push('embedding');
    else if (/[\u2066-\u2068]/.test(each)) open.push('isolate');
    else if (each === '\u202C' && open.at(-1) === 'embedding') open.pop();
    else if (each === '\u2069' && open.includes('isolate')) open.splice(open.lastIndexOf('isolate'));
  return open;
}

describe('the texts of the console', () => {
  it('are not reordered by the bidirectional controls of a value', () => {
    for (const value of [
      'a\u202Eb',
      '\u2067a\u202Eb',
      '\u2069\u202Ea',
      '\u202E\u2066a\u202D\u202E',
      '\u202Ca',
    ]) {
      const text = filled('{value}', { value });
      expect(text).to.include(value);
      expect(openAtTheEndOf(text), JSON.stringify(value)).to.deep.equal([]);
    }
    expect(filled('{value} of {count}', { value: 'a', count: 3 })).to.equal('a of 3');
  });
});

describe('the sources of the console', () => {
  it('have every text that people read in a file of strings', () => {
    const sources = files.filter((file) => /\.tsx?$/.test(file) && !/(^|\/)strings\.ts$|\.d\.ts$/.test(file));
    expect(sources.length).to.be.above(20);
    expect(sources.flatMap((file) => wordsIn(file))).to.deep.equal([]);
  });

  it('are found out if they have another text', () => {
    const source =
      "const a = <p title='Hi'>Hello {b ? 'Not so good' : `Yes it is ${c}`}</p>; say('Two words');";
    expect(wordsIn('a.tsx', source)).to.have.length(5);
  });

  it('limit texts as the API does', () => {
    const limits: readonly [file: string, schema: object][] = [
      ['pages/keys/new-key.tsx', CreateApiKey.properties.name],
      ['pages/agents/recipe.tsx', CreateRecipe.properties.name],
      ['pages/agents/talk.tsx', Message.properties.user_message],
      ['pages/sessions/new-session.tsx', CreateSession.properties.label],
    ];
    const limited = files.filter((file) => file.endsWith('.tsx') && /maxLength=\{\d/.test(read(file)));
    expect(limited).to.have.members(limits.map(([file]) => file));
    for (const [file, schema] of limits) {
      const [, given = ''] = /maxLength=\{([\d_]+)\}/.exec(read(file)) ?? [];
      expect(schema, file).to.have.property('maxLength', Number(given.replaceAll('_', '')));
    }
  });

  it('use no colours except those of the tokens', () => {
    const colour =
      /#[0-9a-f]{3,8}\b(?!;?['"]?\))|\b(rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(|:\s*(white|black|red|green|blue|gr[ae]y)\b/gi;
    const styles = files.filter((file) => /\.(css|tsx)$/.test(file) && file !== 'styles/tokens.css');
    expect(styles.length).to.be.above(3);
    const found = styles.flatMap((file) =>
      (read(file).match(colour) ?? []).map((each) => `${file}: ${each}`),
    );
    expect(found).to.deep.equal([]);
    expect('a { color: #abcdef }'.match(colour)).to.have.length(1);
  });

  it('set no inline styles, which the content security policy would refuse, and no raw markup', () => {
    const isSet = /\bstyle=|dangerouslySetInnerHTML|\.(inner|outer)HTML\b|insertAdjacentHTML/;
    expect(files.filter((file) => file.endsWith('.tsx') && isSet.test(read(file)))).to.deep.equal([]);
  });
});
