import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A file or folder that lies beside the package.json of the code that asks, such as `web/dist`; looked for upwards,
 * since compiled code lies deeper than its sources. Undefined when it is not there, as a front-end that is not built.
 */
export function packagePath(from: string, path: string): string | undefined {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, path))) return join(folder, path);
    // The compiler copies package.json beside compiled code.
    if (existsSync(join(folder, 'package.json')) && !folder.endsWith('dist')) return undefined;
  }
  return undefined;
}
