// Bare node:http that sends the bytes of a file: the floor.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { processEnvironment } from '../env.js';

const { PORT, BODY_FILE = '', ENTITY_TAG = '' } = processEnvironment();
const body = readFileSync(BODY_FILE);
createServer((request, response) => {
  if (request.headers['if-none-match'] === ENTITY_TAG) response.writeHead(304, { etag: ENTITY_TAG }).end();
  else response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', etag: ENTITY_TAG, 'content-length': body.length }).end(body);
}).listen(Number(PORT), '127.0.0.1');
