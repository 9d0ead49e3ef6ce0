// Installs the npm packages and says so while it lasts. Runs on the machine's own Node.js and uses no package.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';

const OLDEST_NODE = 20;
const HEARTBEAT_MS = 5_000;
const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
const [stamp] = process.argv.slice(2);

const major = Number(process.versions.node.split('.')[0]);
if (major < OLDEST_NODE) fail(`Node.js ${OLDEST_NODE} or newer is needed, this is ${process.version}.`);

const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
const current = existsSync(stamp) ? readFileSync(stamp, 'utf8').trim() : '';
if (current === wanted || isUpToDate()) done();
else install();

/** Packages that npm itself calls current are kept: a working folder is not torn down for a missing stamp. */
function isUpToDate() {
  if (!existsSync('node_modules/.package-lock.json')) return false;
  const answer = spawnSync('npm', ['ci', '--dry-run', ...FLAGS], { encoding: 'utf8' });
  return answer.status === 0 && /^up to date/m.test(answer.stdout);
}

function install() {
  const packages = Object.keys(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages).length;
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  console.log(`Installing about ${packages} npm packages (a minute or two, only when package-lock.json changes) …`);
  const child = spawn('npm', ['ci', ...FLAGS], { stdio: ['ignore', 'ignore', 'inherit'] });
  const heartbeat = setInterval(() => console.log(`  … still installing, ${seconds()} s`), HEARTBEAT_MS);
  child.on('error', (error) => fail(`npm cannot be run: ${error.message}`));
  child.on('exit', (code) => {
    clearInterval(heartbeat);
    if (code !== 0) fail(`npm ci failed after ${seconds()} s (its messages are above). Check the connection to the npm registry and run make again.`);
    console.log(`Installed in ${seconds()} s.`);
    done();
  });
}

function done() {
  writeFileSync(stamp, `${wanted}\n`);
  utimesSync(stamp, new Date(), new Date());
}

function fail(message) {
  console.error(`install: ${message}`);
  process.exit(1);
}
