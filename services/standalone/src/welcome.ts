import { join } from 'node:path';
import type { StandaloneConfig } from './env.js';
import type { Platform } from './platform.js';

/** What a person needs who has just started the platform: where, who, and what to try. */
export function welcome(config: StandaloneConfig, platform: Pick<Platform, 'adminPassword' | 'satellitesFolder' | 'logPath'>, took: string): string {
  const url = `http://127.0.0.1:${config.port}`;
  return `
Ready in ${took}.

  Address        ${url}
  Explorer       ${url}/api/doc/explorer
  Administrator  ${config.adminEmail}
  Password       ${platform.adminPassword}   (as first generated; kept in ${join(config.dataFolder, 'secrets.json')})
  Satellites     ${platform.satellitesFolder}   (drop a SatelliteApp manifest here)
  Mails          ${mails(config)}
  Log            ${platform.logPath}

Try:
  curl ${url}/api/config/apps

Ctrl-C stops everything.
`;
}

/** Where messages to people go: into a folder unless a mail server is named. */
function mails({ shellOptions, outboxFolder }: StandaloneConfig): string {
  return 'APP_ENV_SMTP_URL' in shellOptions ? 'by the mail server of APP_ENV_SMTP_URL' : `${outboxFolder}   (.eml files)`;
}
