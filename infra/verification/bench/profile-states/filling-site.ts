import { once } from 'node:events';
import { createServer } from 'node:http';

/** A page on loopback that writes that many MiB of incompressible random bytes to IndexedDB. */
export interface FillingSite {
  readonly urlFor: (mebibytes: number) => string;
  close(): Promise<void>;
}

const page = `<!doctype html><body><script>
  const settled = (request) => new Promise((resolve, reject) => {
    request.onsuccess = request.oncomplete = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const fill = async (count) => {
    const opening = indexedDB.open('filled', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('parts');
    const database = await settled(opening);
    for (let part = 0; part < count; part += 1) {
      const bytes = new Uint8Array(1048576);
      for (let at = 0; at < bytes.length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
      const writing = database.transaction('parts', 'readwrite');
      writing.objectStore('parts').put(bytes, part);
      await settled(writing);
    }
  };
  const end = (id) => document.body.append(Object.assign(document.createElement('p'), { id, textContent: id }));
  fill(Number(new URLSearchParams(location.search).get('mebibytes'))).then(() => end('filled'), () => end('failed'));
</script>`;

export async function startFillingSite(): Promise<FillingSite> {
  const server = createServer((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    urlFor: (mebibytes) => `http://127.0.0.1:${address.port}/?mebibytes=${mebibytes}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
