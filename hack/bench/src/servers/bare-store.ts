// A bare node:http server before a folder store: one hop and the same durable store, and nothing else.
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { FolderStore } from '@satellite/kit/storage';
import { processEnvironment } from '../env.js';

const { PORT, STORE_FOLDER = '' } = processEnvironment();
const store = new FolderStore(STORE_FOLDER);
createServer((request, response) => {
  const key = (request.url ?? '/').slice(1);
  if (key === 'ready') return void response.end('ok');
  const work = request.method === 'PUT' ? store.put(key, request, { maxBytes: 1e9 }).then((stored) => response.end(stored.checksum)) : store.get(key).then((bytes) => pipeline(bytes, response));
  work.catch((error: unknown) => response.destroy(error as Error));
}).listen(Number(PORT), '127.0.0.1');
