import type { PageObservation } from '../../contracts/client/index.ts';
import { showPage, type Asked } from './page.ts';
import type { Answer, ToolContext } from './tool.ts';
import { notice } from './words.ts';

export interface Looked extends Asked {
  readonly picture?: boolean | undefined;
}

export const observe = (
  { service, signal }: Pick<ToolContext, 'service' | 'signal'>,
  session: string,
  { picture = false }: Pick<Looked, 'picture'> = {},
): PromiseLike<PageObservation> =>
  service.sessions.observe(session, { ...(picture && { picture: 'true' }), signal });

/** An answer with the page of a browser. */
export async function look(
  context: Pick<ToolContext, 'service' | 'signal'>,
  session: string,
  asked: Looked = {},
): Promise<Answer> {
  const page = await observe(context, session, asked);
  const { lines, more, structured } = showPage(page, asked);
  return {
    lines: [`The page of ${session}:`],
    words: lines,
    more,
    structured: { session, ...structured, untrusted: notice },
    ...(page.picture && { attachments: [pictureOf(page.picture)] }),
  };
}

export const pictureOf = ({ media_type: mimeType, data }: NonNullable<PageObservation['picture']>) =>
  ({ type: 'image', mimeType, data }) as const;
