import { Readable } from 'node:stream';
import { BlobMissing, type BlobStore } from '../types.ts';

/** Blobs in memory, accessible to tests. */
export interface MemoryBlobs extends BlobStore {
  readonly stored: Map<string, { content: Buffer; storedAt: Date }>;
}

export function memoryBlobs(now: () => Date = () => new Date()): MemoryBlobs {
  const stored: MemoryBlobs['stored'] = new Map();
  return {
    stored,
    async put(key, content) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) chunks.push(Buffer.from(chunk));
      stored.set(key, { content: Buffer.concat(chunks), storedAt: now() });
    },
    get(key) {
      const blob = stored.get(key);
      if (blob === undefined) return Promise.reject(new BlobMissing(key));
      return Promise.resolve(Readable.from([blob.content]));
    },
    delete: async (key) => void stored.delete(key),
    async *list() {
      for (const [key, { content, storedAt }] of [...stored]) yield { key, bytes: content.length, storedAt };
    },
    close: () => Promise.resolve(),
  };
}
