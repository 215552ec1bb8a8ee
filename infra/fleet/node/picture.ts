/** Formats of a browser's window: RTP packets of VP8 (RFC 7741), or whole JPEG pictures. */
export type PictureKind = 'vp8' | 'jpeg';

export interface PictureListener {
  /** A packet, or a picture. */
  unit(unit: Buffer): void;
  /** Called once when no more units follow although the picture was not closed. */
  ended(): void;
}

/** The picture of a browser's window, while it is open. */
export interface Picture {
  /** Size of the window in CSS pixels. */
  readonly size: { readonly width: number; readonly height: number };
  /** Requests a frame that can be shown without those before it. */
  key(): void;
  /** Sets the encoder's target in bits per second. */
  bitrate(bitsPerSecond: number): void;
  /** Processor seconds that encoding has taken. */
  processorSeconds(): number;
  close(): Promise<void>;
}

/** Shows the window of a browser in one format. Rejects if no encoder starts. */
export type ShowPicture = (kind: PictureKind, listener: PictureListener) => Promise<Picture>;
