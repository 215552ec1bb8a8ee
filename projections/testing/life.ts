/** The life of one stream: golden events in a valid order. */
export interface Life {
  readonly category: string;
  /** Last two digits of the uuid of the stream's subject in golden events. */
  readonly subject: string;
  /** Replaces those digits, for several subjects of a kind; default: the golden one's. */
  readonly as?: string;
  readonly types: readonly string[];
}
