/** The life of one stream: golden events in the order in which such a stream would have them. */
export interface Life {
  readonly category: string;
  /** The last two digits of the uuid that the golden events use for the stream's subject. */
  readonly subject: string;
  /** Those of another subject of the same kind, to have several; by default the golden one's. */
  readonly as?: string;
  readonly types: readonly string[];
}
