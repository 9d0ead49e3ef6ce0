// Bare node:http that reads a JSON body and answers one: the floor of an RPC.
import { createServer } from 'node:http';
import { processEnvironment } from '../env.js';

const { PORT, ANSWER = '{}' } = processEnvironment();
const answer: unknown = JSON.parse(ANSWER);
createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const question = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as { sub?: unknown });
    const body = JSON.stringify(question.sub === undefined ? {} : answer);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
  });
}).listen(Number(PORT), '127.0.0.1');
