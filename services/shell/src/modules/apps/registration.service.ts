import type { RemoteDescriptor } from './remote-descriptor.js';
import type { RegistryEntry } from './registry-entry.js';
import type { RegistryWriter } from './registry-writer.js';

/** Registers an app by the address of its front-end. */
export class RegistrationService {
  constructor(
    private readonly descriptors: RemoteDescriptor,
    private readonly writer: RegistryWriter,
  ) {}

  /** Everything outside happens before the transaction; a remote that fails leaves nothing behind. */
  async registerRemote(uiUrl: string, slug: string | undefined): Promise<RegistryEntry> {
    const desired = await this.descriptors.read(uiUrl, slug);
    const { result } = await this.writer.write((revision) => this.writer.register(desired, revision, 'apps.register_remote'));
    return result;
  }
}
