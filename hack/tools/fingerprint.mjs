// Decides whether a step has to run again. The cheap look (times and sizes) comes first; contents are read only when
// that differs, so that a fresh checkout of the same files rebuilds nothing.
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Files of the patterns, sorted; build results and tests never count as input. */
export function filesOf(patterns) {
  return globSync(patterns, { exclude: (path) => /(^|\/)(node_modules|dist|generated|gen)(\/|$)|\.test\.ts$/.test(String(path)) }).sort();
}

/** True when inputs are as they were at the last `remember`, and every output is there. */
export function isCurrent(stamp, inputs, outputs) {
  if (!existsSync(stamp) || !outputs.every((output) => existsSync(output))) return false;
  const before = JSON.parse(readFileSync(stamp, 'utf8'));
  if (before.looks === looksOf(inputs)) return true;
  if (before.content !== contentOf(inputs)) return false;
  remember(stamp, inputs);
  return true;
}

export function remember(stamp, inputs) {
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, JSON.stringify({ looks: looksOf(inputs), content: contentOf(inputs) }));
}

function looksOf(files) {
  return hash((sum) => files.forEach((file) => {
    const { mtimeMs, size } = statSync(file);
    sum.update(`${file} ${mtimeMs} ${size}\n`);
  }));
}

function contentOf(files) {
  return hash((sum) => files.forEach((file) => sum.update(`${file}\n`).update(readFileSync(file))));
}

function hash(fill) {
  const sum = createHash('sha256');
  fill(sum);
  return sum.digest('hex');
}
