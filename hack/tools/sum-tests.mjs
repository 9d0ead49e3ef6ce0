// Adds up the jest results of a folder and prints `N passed, N failed`. A target that failed without a failed test
// (the compiler, a linter, a suite that could not be loaded) counts as one failure: the line never sounds better than the run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const names = readdirSync(folder);
let passed = 0;
let failed = 0;

for (const name of new Set(names.map((file) => file.replace(/\.(json|failed)$/, '')))) {
  const result = names.includes(`${name}.json`) ? JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) : undefined;
  const failures = result ? result.numFailedTests + result.numRuntimeErrorTestSuites : 0;
  passed += result?.numPassedTests ?? 0;
  failed += names.includes(`${name}.failed`) ? Math.max(failures, 1) : failures;
}

console.log(`${passed} passed, ${failed} failed`);
