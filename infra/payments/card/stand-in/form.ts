/** A parsed form, with brackets as objects and lists. */
export interface Form {
  [name: string]: string | Form;
}

/** Parses `a[b][0]=c` as `{ a: { b: { 0: 'c' } } }`. */
export function parseForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) put(form, pathOf(name), value);
  return form;
}

const pathOf = (name: string): readonly string[] => name.split('[').map((part) => part.replace(/\]$/, ''));

function put(form: Form, [first = '', ...rest]: readonly string[], value: string): void {
  // `expand[]=x` has no index.
  const name = first === '' ? String(Object.keys(form).length) : first;
  if (rest.length === 0) {
    form[name] = value;
    return;
  }
  const inner = form[name];
  const next = typeof inner === 'object' ? inner : {};
  form[name] = next;
  put(next, rest, value);
}

export const textAt = (form: Form, name: string): string | undefined => {
  const value = form[name];
  return typeof value === 'string' ? value : undefined;
};

export const formAt = (form: Form, name: string): Form => {
  const value = form[name];
  return typeof value === 'object' ? value : {};
};

/** The texts of an object, such as metadata. */
export const textsOf = (form: Form): Record<string, string> =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
