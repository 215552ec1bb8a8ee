/** The formats in which a page can be saved: the kind of capture, and its media type. */
export const pageKinds = {
  png: { kind: 'screenshot', mimeType: 'image/png' },
  pdf: { kind: 'pdf', mimeType: 'application/pdf' },
  html: { kind: 'dom_snapshot', mimeType: 'text/html' },
} as const;
export type PageKind = keyof typeof pageKinds;

export const isPageKind = (text: unknown): text is PageKind =>
  typeof text === 'string' && Object.hasOwn(pageKinds, text);

export const pageUri = (session: string, kind: PageKind): string =>
  `service://browsers/${session}/page.${kind}`;
export const fileUri = (session: string, name: string): string =>
  `service://browsers/${session}/files/${encodeURIComponent(name)}`;
export const transcriptUri = (agent: string): string => `service://transcripts/${agent}`;
export const referenceUri = 'service://reference';
