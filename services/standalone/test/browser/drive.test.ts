import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@satellite/kit/testing';
import { made } from './support/media.js';
import { colleagueOf, DriveOf, registered, type Person } from './support/people.js';
import type { Tab } from './support/tab.js';
import { Visitor } from './support/visitor.js';

const SOON_MS = 60_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'satellite-downloads-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function driveOf(person: Person, downloads?: string): Promise<Tab> {
  const visitor = await Visitor.arrives({ session: person.session, ...(downloads !== undefined && { downloads }) });
  return visitor.opens('/apps/drive');
}

async function downloaded(place: string, name: string): Promise<string> {
  await eventually(async () => (await readFile(join(place, name), 'utf8').catch(() => '')) !== '', SOON_MS, `${name} in the downloads`);
  return readFile(join(place, name), 'utf8');
}

describe('a file', () => {
  it('is uploaded, downloaded, shared with a stranger, and withheld again', async () => {
    const [mine, theirs] = [await mkdtemp(join(folder, 'mine-')), await mkdtemp(join(folder, 'theirs-'))];
    await writeFile(join(folder, 'plan.txt'), 'First, a plan.');
    const tab = await driveOf(await registered(), mine);
    await tab.uploads('Upload', join(folder, 'plan.txt'));
    await tab.finds('button', 'Actions: plan.txt');
    await tab.chooses('Actions: plan.txt', 'Download');
    expect(await downloaded(mine, 'plan.txt')).toBe('First, a plan.');

    await tab.chooses('Actions: plan.txt', 'Share');
    await tab.clicks('button', 'Make a link');
    const link = await tab.value('Address of the link');
    const stranger = await Visitor.arrives({ downloads: theirs });
    const page = await stranger.opens(link);
    await page.finds('heading', 'plan.txt');
    expect(await page.violations()).toEqual([]);
    await page.clicks('link', 'Download');
    expect(await downloaded(theirs, 'plan.txt')).toBe('First, a plan.');

    await tab.clicks('button', 'End');
    await tab.clicksIn('End this link?', 'End');
    await tab.reads('No link leads to this file.');
    stranger.expects(/^404 GET \/drive\/s\//);
    await page.goto(link);
    await page.finds('heading', 'Nothing here');
  });

  it('is dropped, keeps both when its name is taken, and gets another name', async () => {
    const person = await registered();
    await (await DriveOf.person(person)).stores('offer.txt', 'The first offer.');
    const visitor = await Visitor.arrives({ session: person.session });
    visitor.expects(/^409 POST \/drive\/api\/files\/upload$/, /^409 PATCH \/drive\/api\/files\//);
    const tab = await visitor.opens('/apps/drive');
    await tab.finds('button', 'Actions: offer.txt');
    await tab.drops('offer.txt', 'The second offer.');
    await tab.clicks('button', 'Keep both');
    await tab.finds('button', 'Actions: offer (2).txt');

    await tab.chooses('Actions: offer (2).txt', 'Rename');
    await tab.fills('Name', 'offer.txt');
    await tab.clicksIn('Rename offer (2).txt', 'Rename');
    await tab.reads('There is a file "offer.txt" in this place already.');
    await tab.fills('Name', 'answer.txt');
    await tab.clicksIn('Rename offer (2).txt', 'Rename');
    await tab.finds('button', 'Actions: answer.txt');
    await tab.misses('dialog', 'Rename offer (2).txt');
    await tab.focused('Actions: answer.txt');
  });

  it('is moved into a folder, and deleted with it', async () => {
    const person = await registered();
    const drive = await DriveOf.person(person);
    await Promise.all([drive.stores('contract.txt', 'A contract.'), drive.stores('letter.txt', 'A letter.')]);
    const tab = await driveOf(person);
    await tab.clicks('button', 'New folder');
    await tab.fills('Name', 'Contracts');
    await tab.clicks('button', 'Create folder');
    await tab.misses('dialog', 'New folder');
    await tab.chooses('Actions: contract.txt', 'Move');
    await tab.clicks('radio', 'Contracts');
    await tab.clicks('button', 'Move here');
    await tab.misses('button', 'Actions: contract.txt');
    await tab.chooses('Actions: Contracts', 'Open');
    await tab.finds('button', 'Actions: contract.txt');
    await tab.clicks('link', 'All files');
    await tab.finds('button', 'Actions: letter.txt');

    await tab.clicks('checkbox', 'Select all');
    await tab.clicks('button', 'Delete');
    await tab.reads('The folder contains no folders and one file, which go too.');
    await tab.clicksIn('Delete 2 items?', 'Delete');
    await tab.reads('Nothing is here yet');
  });
});

describe('a preview', () => {
  it('shows pictures, films, PDF and texts, and says so of what it cannot show', async () => {
    const person = await registered();
    const drive = await DriveOf.person(person);
    const visitor = await Visitor.arrives({ session: person.session });
    const workshop = (await visitor.opens('/')).page;
    await drive.stores('photo.png', await made(workshop, 'image/png'), 'image/png');
    await drive.stores('film.webm', await made(workshop, 'video/webm'), 'video/webm');
    await drive.stores('film.mp4', await made(workshop, 'video/mp4'), 'video/mp4');
    await drive.stores('page.pdf', new Uint8Array(await workshop.pdf()), 'application/pdf');
    await drive.stores('note.md', '# A note', 'text/markdown');
    await drive.stores('trap.html', '<script>document.title = "caught"</script>', 'text/html');
    await drive.stores('parts.bin', new Uint8Array([0, 1, 2, 255]), 'application/octet-stream');
    const tab = await visitor.opens('/apps/drive');
    const shown = async (name: string, look: () => Promise<unknown>): Promise<void> => {
      await tab.chooses(`Actions: ${name}`, 'Preview');
      await tab.finds('dialog', name);
      await look();
      expect(await tab.violations()).toEqual([]);
      await tab.presses('Escape');
      await tab.misses('dialog', name);
    };
    await shown('photo.png', () => tab.page.waitForFunction(() => (document.querySelector('[role="dialog"] img') as HTMLImageElement | null)?.naturalWidth === 320));
    for (const film of ['film.webm', 'film.mp4']) {
      await shown(film, async () => {
        await tab.page.waitForFunction(() => ((document.querySelector('[role="dialog"] video') as HTMLVideoElement | null)?.readyState ?? 0) >= HTMLMediaElement.HAVE_CURRENT_DATA);
        expect(await tab.page.$eval('[role="dialog"] video', (video) => [(video as HTMLVideoElement).videoWidth, (video as HTMLVideoElement).error])).toEqual([320, null]);
      });
    }
    await shown('page.pdf', () => eventually(async () => tab.page.frames().some((frame) => frame.url().startsWith('chrome-extension:')), SOON_MS, "the browser's viewer"));
    await shown('note.md', () => tab.reads('# A note'));
    await shown('trap.html', () => tab.reads('document.title = "caught"')); // as text: nothing in it runs
    await shown('parts.bin', () => tab.reads('No preview'));
  });
});

describe('people of Drive', () => {
  it('lose it at once when they are suspended, and do what their new role allows', async () => {
    const admin = await registered();
    const colleague = await colleagueOf(admin, ['USER']);
    await DriveOf.person(admin);
    await DriveOf.person(colleague);
    const people = await (await Visitor.arrives({ session: admin.session })).opens('/apps/drive/people');
    await people.chooses(`Actions: ${colleague.email}`, 'Change roles');
    await people.clicks('checkbox', 'Viewer');
    await people.clicks('button', 'Save');
    await people.reads(`The roles of ${colleague.email} are changed.`);

    const theirs = await Visitor.arrives({ session: colleague.session });
    theirs.expects(/^403 GET \/drive\/api\/users$/); // Drive alone knows who may see its people
    const drive = await theirs.opens('/apps/drive');
    await drive.reads('Nothing is here yet');
    theirs.expects(/^40[13] /); // from the suspension on, whatever that window asks
    await people.chooses(`Actions: ${colleague.email}`, 'Suspend');
    await people.clicksIn(`Suspend ${colleague.email}?`, 'Suspend');
    await people.reads(`${colleague.email} is suspended.`);
    await drive.page.reload();
    await drive.finds('button', 'Try again');
  });
});
