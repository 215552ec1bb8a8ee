import { look as lookAt } from '../looking.ts';
import { defineTool, hints, pageShape, schemas } from '../tool.ts';

const { described, session, count, boolean } = schemas;

interface Looking {
  readonly session: string;
  readonly text?: boolean | number;
  readonly picture?: boolean;
  readonly from?: number;
}

export const look = defineTool<Looking>({
  name: 'look',
  title: 'Look at the page',
  description: 'Returns the page: address, title, elements with refs for act, and the beginning of its text.',
  hints: hints.reads,
  takes: {
    'session!': session,
    text: described('true: all of its text; a number: its text from this character on', {
      type: ['boolean', 'integer'],
      minimum: 0,
    }),
    picture: described('Include a picture', boolean),
    from: described('Index of the first element', count),
  },
  gives: pageShape,
  run: (context, { session: id, text, picture, from }) =>
    lookAt(context, id, { picture, from, text: text === true ? 0 : text === false ? undefined : text }),
});
