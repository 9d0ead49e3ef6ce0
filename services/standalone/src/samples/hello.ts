import { Router } from 'express';

const VERSION = '1.0.0';
const LONGEST_NAME = 80;

/** API of the sample `hello`: greets. The smallest thing that is a satellite. */
export function helloApi(): Router {
  const router = Router();
  router.get('/health', (_request, response) => void response.json({ status: 'UP', version: VERSION }));
  router.get('/greetings', (request, response) => {
    const { name = 'world' } = request.query;
    if (typeof name !== 'string' || name.length === 0 || name.length > LONGEST_NAME) {
      response.status(400).json({ error: { code: 'validation_failed', message: `name must be given once, with 1 to ${LONGEST_NAME} characters.` } });
      return;
    }
    response.json({ message: `Hello, ${name}!` });
  });
  return router;
}
