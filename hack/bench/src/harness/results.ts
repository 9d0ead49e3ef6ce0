import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Bench, Findings } from '../bench.js';
import { BENCHES } from '../benches.js';

const FILE = fileURLToPath(new URL('../../RESULTS.md', import.meta.url));
const HEAD = `# Measured speed

Written by \`make bench\`; one bench alone: \`make bench BENCH=name\`. Ratios are against a baseline of the same run and
hold on other machines; absolute figures are those of the machine named with them.
`;

/** Replaces the section of this bench; the others stay as they were measured. */
export async function writeResults(bench: Bench, findings: Findings, seconds: number): Promise<void> {
  const before = await readFile(FILE, 'utf8').catch(() => '');
  const sections = BENCHES.map(({ name }) => (name === bench.name ? section(bench, findings, seconds) : sectionOf(before, name))).filter((text) => text !== '');
  await writeFile(FILE, `${HEAD}\n${sections.join('\n')}`);
}

function section({ name, title }: Bench, { table: [head = [], ...rows], notes }: Findings, seconds: number): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = [line(head), line(head.map((_cell, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)];
  return [begin(name), `## ${title}`, '', ...lines, '', ...notes.map((note) => `- ${note}`), `- ${machine()}, ${seconds.toFixed(0)} s.`, end(name), ''].join('\n');
}

function machine(): string {
  const [cpu] = cpus();
  return `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.versions.node}`;
}

function sectionOf(text: string, name: string): string {
  const [from, to] = [text.indexOf(begin(name)), text.indexOf(end(name))];
  return from < 0 || to < from ? '' : `${text.slice(from, to)}${end(name)}\n`;
}

const begin = (name: string): string => `<!-- bench ${name} -->`;
const end = (name: string): string => `<!-- end ${name} -->`;
