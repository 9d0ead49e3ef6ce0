import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { folderMailer, smtpMailer, type Mailer } from './mailer.js';

/** What every mailer promises: the message arrives whole, with its letters, and cannot be given more headers. */
interface Subject {
  readonly mailer: Mailer;
  readonly received: () => Promise<string[]>;
  readonly close: () => void;
}

async function overSmtp(): Promise<Subject> {
  const received: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) => done(address.startsWith('refused') ? new Error('550 no such mailbox') : null),
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString());
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mailer = smtpMailer(`smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, 'Platform <no-reply@platform.test>');
  return { mailer, received: async () => received, close: () => void server.close() };
}

async function intoFolder(): Promise<Subject> {
  const folder = join(await mkdtemp(join(tmpdir(), 'mail-')), 'outbox');
  const received = async (): Promise<string[]> => Promise.all((await readdir(folder)).filter((name) => name.endsWith('.eml') && !name.startsWith('.')).map((name) => readFile(join(folder, name), 'utf8')));
  return { mailer: folderMailer(folder, 'Platform <no-reply@platform.test>'), received, close: () => undefined };
}

describe.each([['SMTP', overSmtp], ['a folder', intoFolder]] as const)('mail over %s', (_name, open) => {
  let subject: Subject;
  beforeAll(async () => {
    subject = await open();
  });
  afterAll(() => {
    subject.mailer.close();
    subject.close();
  });

  it('arrives whole', async () => {
    await subject.mailer.send({ to: 'ann@example.org', subject: 'Žluťoučký kůň', text: 'Open https://platform.test/reset?token=abc\nThank you.' });
    const [message = ''] = await subject.received();
    expect(message).toContain('To: ann@example.org');
    expect(message).toContain('From: Platform <no-reply@platform.test>');
    expect(message).toContain('https://platform.test/reset?token=');
  });

  it('cannot be given more recipients or headers', async () => {
    await subject.mailer.send({ to: 'bob@example.org', subject: 'one\r\nBcc: evil@example.org', text: 'x' });
    const messages = await subject.received();
    expect(messages.some((message) => /^Bcc:/m.test(message))).toBe(false);
  });
});

it('throws when the server refuses the recipient', async () => {
  const { mailer, close } = await overSmtp();
  await expect(mailer.send({ to: 'refused@example.org', subject: 'x', text: 'x' })).rejects.toThrow('550');
  mailer.close();
  close();
});
