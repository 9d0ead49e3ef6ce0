import { useState } from 'react';
import { useDrive } from '../api/drive.js';
import type { Entry } from '../api/lists.js';

export interface Failure {
  readonly entry: Entry;
  readonly error: unknown;
}

export interface Each {
  readonly busy: boolean;
  readonly failures: readonly Failure[];
  readonly run: () => Promise<void>;
}

/** Does the same with several entries, one after another; one that fails does not keep the others from it. */
export function useEach(entries: readonly Entry[], work: (entry: Entry) => Promise<unknown>, onAllDone: () => void): Each {
  const drive = useDrive();
  const [busy, setBusy] = useState(false);
  const [left, setLeft] = useState(entries);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const run = async (): Promise<void> => {
    setBusy(true);
    const failed: Failure[] = [];
    for (const entry of left) await work(entry).catch((error: unknown) => failed.push({ entry, error }));
    await drive.refresh();
    setLeft(failed.map(({ entry }) => entry));
    setFailures(failed);
    setBusy(false);
    if (failed.length === 0) onAllDone();
  };
  return { busy, failures, run };
}
