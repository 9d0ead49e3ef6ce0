// Asks the service of this image whether it turns; for engines that have no probes of their own.
const port = process.env.APP_ENV_PORT;
const answer = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
