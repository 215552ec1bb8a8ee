import type { Observation } from '../../../contracts/resources/observation.ts';
import type { ModelCall } from '../../../infra/model/port.ts';
import { hiddenIn, type HiddenValue } from './hidden-values.ts';
import type { RunningTurn } from './running-turn.ts';
import { withoutSecrets } from './secrets.ts';

/** A page with masked values. */
export function withoutValues(page: Observation, values: readonly HiddenValue[]): Observation {
  if (values.length === 0) return page;
  const texts: string[] = [];
  mapTexts(page, (text) => {
    texts.push(text);
    return text;
  });
  const hidden = hiddenIn(values, texts);
  return mapTexts(page, (text) => withoutSecrets(text, hidden));
}

function mapTexts(page: Observation, map: (text: string) => string): Observation {
  return {
    ...page,
    url: map(page.url),
    title: map(page.title),
    elements: page.elements.map(({ value, options, ...element }) => ({
      ...element,
      name: map(element.name),
      ...(value !== undefined && { value: map(value) }),
      ...(options !== undefined && { options: options.map(map) }),
    })),
    headings: page.headings.map(map),
    text: map(page.text),
    dialog: page.dialog === null ? null : map(page.dialog),
  };
}

/** A model call with the names of the variables, and with masked values. */
export function withNamesAlone<Call extends Pick<ModelCall, 'message' | 'transcript' | 'soFar'>>(
  { order, hidden }: Pick<RunningTurn, 'order' | 'hidden'>,
  call: Call,
): Call & Pick<ModelCall, 'variables'> {
  const hide = (text: string): string => withoutSecrets(text, hidden);
  const { soFar } = call;
  return {
    ...call,
    message: hide(call.message),
    transcript: call.transcript.map((entry) => ({ ...entry, body: hide(entry.body) })),
    ...(soFar && { soFar: { ...soFar, note: soFar.note === null ? null : hide(soFar.note) } }),
    variables: Object.keys(order.variables ?? {}),
  };
}
