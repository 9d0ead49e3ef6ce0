// A bare Express 5 application that reads a JSON body and answers one: what an RPC handler could not do without.
import express from 'express';
import { processEnvironment } from '../env.js';

const { PORT, ANSWER = '{}' } = processEnvironment();
const answer: unknown = JSON.parse(ANSWER);
const app = express();
app.use(express.json());
app.get('/ready', (_request, response) => void response.send('ok'));
app.post('/rpc', (request, response) => void response.json((request.body as { sub?: unknown }).sub === undefined ? {} : answer));
app.listen(Number(PORT), '127.0.0.1');
