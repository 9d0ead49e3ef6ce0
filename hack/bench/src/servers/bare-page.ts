// A bare node:http server with a page that loads the Shell's files and runs none of them: what the bytes alone cost.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { processEnvironment } from '../env.js';

const { PORT, FOLDER = '', FILES = '[]' } = processEnvironment();
const files = new Map((JSON.parse(FILES) as string[]).map((file) => [`/${file}`, gzipSync(readFileSync(join(FOLDER, file)))]));
const links = [...files.keys()].map((file) => `<link rel="preload" as="${file.endsWith('.css') ? 'style' : 'script'}" href="${file}">`).join('');
const page = `<!doctype html><title>Bare</title>${links}<h1>Bare</h1>`;

createServer((request, response) => {
  const content = files.get(request.url ?? '');
  const type = request.url?.endsWith('.css') === true ? 'text/css' : 'text/javascript';
  if (content) response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip', 'cache-control': 'public, max-age=31536000, immutable' }).end(content);
  else if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' }).end(page);
  else response.writeHead(404).end();
}).listen(Number(PORT), '127.0.0.1');
