import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';

/** A message to one person, in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Hands a message over; resolves when somebody else has taken it, throws when not. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** A server that does not answer must not hold up the mails behind. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Over SMTP (`smtp://user:password@host:587`, `smtps://…`). */
export function smtpMailer(url: string, from: string): Mailer {
  const transport = createTransport({ url, ...TIMEOUTS }, { from });
  return {
    async send({ to, subject, text }) {
      await transport.sendMail({ to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
}

/** As .eml files in a folder: the default where no mail server is configured, and readable by any mail program. */
export function folderMailer(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true }, { from });
  return {
    async send({ to, subject, text }) {
      const { message } = await transport.sendMail({ to: { name: '', address: to }, subject, text });
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}.eml`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, `.${name}`), message as Buffer, { mode: 0o600 }); // whole or not there
      await rename(join(folder, `.${name}`), join(folder, name));
    },
    close: () => undefined,
  };
}
