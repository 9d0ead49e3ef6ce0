import type { AuditVerification } from './audit-verification.js';

/** Verifies the trail and writes a line for each chain, and what came of it. Answers the exit code of a command: 0 when everything holds, else 1. */
export async function reportVerification(verification: AuditVerification, write: (line: string) => void): Promise<0 | 1> {
  let holding = 0;
  const broken = await verification.run({
    verified: ({ chainId, entries, seq, hash }) => {
      holding += 1;
      write(`holds: ${chainId} ${entries} entries up to ${seq} ${hash}`);
    },
    broken: ({ chainId, seq, problem }) => write(`broken: ${chainId} ${seq === null ? '' : `entry ${seq}: `}${problem}`),
  });
  write(broken === 0 ? `All ${holding} chains hold.` : `${broken} broken, ${holding} hold.`);
  return broken === 0 ? 0 : 1;
}
