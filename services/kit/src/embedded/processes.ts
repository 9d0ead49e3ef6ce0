import { readdir, readFile, readlink } from 'node:fs/promises';

/**
 * What tells one process from a later one with the same pid: the boot and the start time in clock ticks.
 * Undefined when there is no such process. Linux only, like the binaries.
 */
export async function identityOf(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command name may hold spaces and brackets: count the fields after its last bracket; field 3 is the state.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Processes whose working directory is this folder: every process of a PostgreSQL server sits in its data folder. */
export async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid));
  const found = await Promise.all(pids.map(async (pid) => ((await workingDirectoryOf(pid)) === folder ? pid : undefined)));
  return found.filter((pid) => pid !== undefined);
}

/** Undefined for processes that are gone or not ours to look at. */
async function workingDirectoryOf(pid: number): Promise<string | undefined> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** Sends a signal; a process that is already gone is no error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Asks again until the answer is yes; false when the time is over. */
export async function until(question: () => Promise<boolean>, timeoutMs: number, stepMs = 10): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    if (await question()) return true;
    if (Date.now() >= end) return false;
    await new Promise((resolve) => setTimeout(resolve, stepMs));
  }
}
