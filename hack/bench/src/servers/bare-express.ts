// A bare Express 5 application that sends the bytes of a file: what one could not do without, and nothing else.
import { readFileSync } from 'node:fs';
import express from 'express';
import { processEnvironment } from '../env.js';

const { PORT, ANSWER_PATH = '', BODY_FILE = '' } = processEnvironment();
const body = readFileSync(BODY_FILE);
const app = express();
app.get(ANSWER_PATH, (_request, response) => void response.type('json').send(body));
app.listen(Number(PORT), '127.0.0.1');
