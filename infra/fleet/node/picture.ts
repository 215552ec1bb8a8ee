/** The forms in which the window of a browser is shown: RTP packets of VP8 (RFC 7741), or whole JPEG pictures. */
export type PictureKind = 'vp8' | 'jpeg';

export interface PictureListener {
  /** A packet, or a picture. */
  unit(unit: Buffer): void;
  /** Called once when no more come although the picture was not closed. */
  ended(): void;
}

/** What the window of a browser shows, while it is open. */
export interface Picture {
  /** Of what is shown, in CSS pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** Asks for a frame that can be shown without those before it. */
  key(): void;
  /** Sets the bits a second that the encoder aims at. */
  bitrate(bitsPerSecond: number): void;
  /** Seconds of a processor that encoding it has taken. */
  processorSeconds(): number;
  close(): Promise<void>;
}

/** Shows the window of a browser in one form. Rejects where no encoder starts. */
export type ShowPicture = (kind: PictureKind, listener: PictureListener) => Promise<Picture>;
