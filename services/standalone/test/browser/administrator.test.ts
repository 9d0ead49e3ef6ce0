import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@satellite/kit/testing';
import { DriveOf, registered, signedIn, type Person } from './support/people.js';
import { ReportingOperator } from './support/reporting-operator.js';
import { SiteMap } from './support/site-map.js';
import { stage } from './support/stage.js';
import type { Tab } from './support/tab.js';
import { Visitor } from './support/visitor.js';

// One story of one person: a platform has its first run once.
const NEW_PASSWORD = 'seventeen grey herons';

const OWN_SATELLITE = `apiVersion: platform.satellite.io/v1alpha1
kind: SatelliteApp
metadata: { name: notes }
spec: { slug: notes, name: Notes, type: satellite, apiUrl: /samples/hello/api, uiUrl: /samples/hello/ui, version: 1.0.0 }
`;

async function signsIn(tab: Tab, password: string): Promise<void> {
  await tab.fills('E-mail or user name', stage().adminEmail);
  await tab.fills('Password', password);
  await tab.clicks('button', 'Sign in');
}

const administrator = (): Promise<Person> => signedIn(stage().adminEmail, NEW_PASSWORD);

describe('the first run', () => {
  it('leads the administrator from the printed password to a platform that is in use', async () => {
    const tab = await (await Visitor.arrives()).opens('/');
    await signsIn(tab, stage().adminPassword);
    await tab.finds('heading', 'Get the platform going');
    await tab.reads('0 of 5 done');
    expect(await tab.violations()).toEqual([]);

    await tab.clicks('link', 'To the people');
    await tab.clicks('button', 'Invite somebody');
    for (const [name, text] of Object.entries({ 'First name': 'Ben', 'Last name': 'Okafor', 'E-mail': 'ben@example.org', 'User name': 'ben' })) await tab.fills(name, text);
    await tab.clicks('button', 'Send invitation');
    await tab.reads('ben@example.org');
    await tab.goes('/');
    await tab.reads('1 of 5 done');

    await tab.clicks('link', 'To the apps');
    await tab.chooses('Actions: Status board', 'Details');
    await tab.switchesOn('Platform');
    await tab.goes('/');
    await tab.reads('2 of 5 done');

    await tab.clicks('link', 'Open Drive');
    await tab.drops('hello.txt', 'Hello.');
    await tab.finds('button', 'Actions: hello.txt');
    await tab.goes('/');
    await tab.reads('3 of 5 done');

    await writeFile(join(stage().folder, 'satellites', 'notes.yaml'), OWN_SATELLITE);
    await tab.appears('link', 'Notes');
    await tab.reads('4 of 5 done');

    await tab.clicks('link', 'Change password');
    await tab.fills('Current password', stage().adminPassword);
    await tab.fills('New password', NEW_PASSWORD);
    await tab.clicks('button', 'Change password');
    await signsIn(tab, NEW_PASSWORD);
    await tab.finds('heading', 'Your account'); // where they were
    await tab.goes('/');
    await tab.reads('Everything is done.');
  });

  it('ends without its samples and without its guide when nobody wants them any more', async () => {
    const tab = await (await Visitor.arrives({ session: (await administrator()).session })).opens('/');
    await tab.reads('There are samples: Hello and Status board.');
    await tab.clicks('button', 'Remove the samples');
    await tab.clicksIn('Remove the samples?', 'Remove the samples');
    await tab.reads('The samples are removed.');
    await tab.misses('link', 'Status board');
    await tab.clicks('button', 'Hide this guide');
    await tab.misses('heading', 'Get the platform going');
    await tab.page.reload();
    await tab.settles();
    await tab.misses('heading', 'Get the platform going');
    await tab.misses('link', 'Hello');
  });
});

describe('a dead app', () => {
  it('costs only its own card, which says what happened and can try again', async () => {
    const admin = await administrator();
    await admin.calls('POST', '/api/admin/apps', { slug: 'wreck', name: 'Wreck', type: 'satellite', apiUrl: '/samples/wreck/api', uiUrl: '/samples/wreck/ui' });
    const visitor = await Visitor.arrives({ session: admin.session });
    visitor.expects(/^404 GET \/samples\/wreck\/ui\//, /^console: .*(remoteEntry|wreck|Federation|ApiError: The server answered 404)/s);
    const tab = await visitor.opens('/apps/wreck');
    await tab.reads('Wreck cannot be opened');
    expect(await tab.violations()).toEqual([]);
    const first = await tab.requestId();
    await tab.clicks('button', 'Try again');
    await tab.reads('Wreck cannot be opened');
    expect([first, await tab.requestId()]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    await tab.clicks('link', 'Drive');
    await tab.finds('button', 'Actions: hello.txt');
    await admin.calls('DELETE', `/api/admin/apps/${(await admin.calls<{ id: string }[]>('GET', '/api/admin/apps?filter={"slug":"wreck"}'))[0]?.id}`);
  });
});

describe('the page of an app', () => {
  it('tells what the operator reports, in words as well as in colour', async () => {
    const admin = await administrator();
    const [drive] = await admin.calls<{ id: string; report: { conditions: { type: string; status: string }[] } | null }[]>('GET', '/api/admin/apps?filter={"slug":"drive"}');
    expect(drive?.report?.conditions).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'Ready', status: 'True' }), expect.objectContaining({ type: 'Drifted', status: 'False' })]));
    const tab = await (await Visitor.arrives({ session: admin.session })).opens(`/admin/apps/${drive?.id}`);
    await tab.finds('table', 'Reported by the operator');
    await tab.finds('rowheader', 'Ready');
    await tab.finds('rowheader', 'API compatible');
    await tab.reads('The app is registered and answers.');
    expect(await problemsOf(tab, 'main')).toEqual([]);
  });

  it('tells everybody of an app whose probes fail, and is read on a telephone without scrolling sideways', async () => {
    const admin = await administrator();
    const reporting = await ReportingOperator.signedIn();
    await reporting.registers('limping', 'Limping');
    await reporting.finds('limping', { degraded: true, message: `https://limping.example.org/${'a-long-address/'.repeat(12)}health does not answer.` });
    const visitor = await Visitor.arrives({ session: admin.session });
    visitor.expects(/^(404|502) GET \/samples\/limping\//);
    const tab = await visitor.opens('/');
    await marked(tab, 'Limping', true);
    expect(await problemsOf(tab, 'main')).toEqual([]);

    const [app] = await admin.calls<{ id: string }[]>('GET', '/api/admin/apps?filter={"slug":"limping"}');
    await tab.goto(`/admin/apps/${app?.id}`);
    await tab.reads('It stays in the launchpads, marked.');
    await tab.size(360, 740);
    await tab.finds('table', 'Reported by the operator');
    await tab.finds('rowheader', 'Ready');
    expect([await tab.sideways(), await problemsOf(tab, 'main')]).toEqual([[], []]);

    await reporting.finds('limping', { degraded: false, message: 'The app is registered and answers.' });
    await tab.goto('/');
    await marked(tab, 'Limping', false);
    await reporting.removes('limping');
  });

  it('shows how far a roll-out is, and which organization has what', async () => {
    const admin = await administrator();
    const uiCanary = { uiUrl: '/drive/ui', version: '2.0.0', metadata: {}, navigation: [], percent: 100 };
    const { id } = await admin.calls<{ id: string }>('POST', '/api/admin/apps', { slug: 'half-way', name: 'Half way', type: 'satellite', apiUrl: '/api', uiUrl: '/drive/ui', version: '1.0.0', organizationPercent: 99, uiCanary });
    const tab = await (await Visitor.arrives({ session: admin.session })).opens(`/admin/apps/${id}`);
    await tab.finds('progressbar', 'Organizations that have the app');
    await tab.finds('progressbar', 'Organizations that have the new front-end');
    await tab.reads('100 % of the organizations get version 2.0.0, the others 1.0.0.');
    await admin.calls('PUT', `/api/admin/apps/${id}`, { organizationPercent: 100 });
    await tab.goto(`/admin/apps/${id}`);
    await tab.reads('New: 2.0.0');
    expect(await problemsOf(tab, 'main')).toEqual([]);
    await admin.calls('DELETE', `/api/admin/apps/${id}`);
  });

  it('says so where nobody reports', async () => {
    const admin = await administrator();
    const { id } = await admin.calls<{ id: string }>('POST', '/api/admin/apps', { slug: 'by-hand', name: 'By hand', type: 'satellite', apiUrl: '/api' });
    const tab = await (await Visitor.arrives({ session: admin.session })).opens(`/admin/apps/${id}`);
    await tab.reads('Administrators keep this app, so no operator checks it or reports about it.');
    expect(await problemsOf(tab, 'main')).toEqual([]);
    await admin.calls('DELETE', `/api/admin/apps/${id}`);
  });
});

/** Looks at the launchpad until the card of an app is marked as degraded, or is not. */
async function marked(tab: Tab, name: string, isDegraded: boolean): Promise<void> {
  await eventually(async () => {
    await tab.settles();
    const [card] = await tab.page.$$eval('.app-card', (cards, wanted) => cards.map((one) => (one as HTMLElement).innerText).filter((text) => text.includes(wanted)), name);
    if (card?.includes('Degraded') === isDegraded) return true;
    await tab.page.reload();
    return false;
  }, 60_000, `${name} ${isDegraded ? 'marked' : 'without a mark'} in the launchpad`);
}

/** What is wrong with this page: in the light, in the dark, where only colours differ, and on a telephone. */
async function problemsOf(tab: Tab, within: string): Promise<string[]> {
  await tab.scheme('dark');
  const dark = await tab.violations({ rules: ['color-contrast', 'link-in-text-block'], within });
  await tab.scheme('light');
  const light = await tab.violations({ within });
  await tab.size(360, 740);
  const narrow = await tab.overhang();
  await tab.size(1280, 900);
  return [...light, ...dark.map((violation) => `dark: ${violation}`), ...narrow];
}

describe('every page, light and dark, wide and narrow', () => {
  const problems: Record<string, string[]> = {};
  const mapFor = (tab: Tab): SiteMap => {
    const map: SiteMap = new SiteMap(tab, async (path) => {
      // header and navigation are the same on all of them
      const found = await problemsOf(tab, map.visited.length === 0 ? 'html' : 'main');
      if (found.length > 0) problems[path] = found;
    });
    return map;
  };
  afterEach(() => expect(problems).toEqual({}));

  it('of the Shell and of the apps holds WCAG 2.2 AA and is not cut off', async () => {
    const admin = await administrator();
    await registered('PRO');
    await admin.calls('POST', '/api/onboarding', { orgName: 'Aurora Freight', orgType: 'company', contactEmail: 'office@aurora.example', firstName: 'Ines', lastName: 'Moreau', applicantEmail: `${randomUUID()}@aurora.example`, companySize: 40, ssoInterest: true, subscriptionPlan: 'PRO' });
    const folder = await (await DriveOf.person(admin)).makes('Contracts');
    const [app] = await admin.calls<{ id: string }[]>('GET', '/api/admin/apps');
    const tab = await (await Visitor.arrives({ session: admin.session })).opens('/');
    await tab.settles();
    const map = mapFor(tab);
    await map.walkPalette();
    // rows of tables lead to these, not links
    map.add(`/admin/apps/${app?.id}`, `/apps/drive/folders/${folder}`, '/nowhere', '/apps/nowhere', '/apps/drive/nowhere');
    await map.walkLinks();
    expect(map.visited).toEqual(expect.arrayContaining(['/', '/admin/users', '/admin/plans', '/settings/billing', '/account', '/account/sessions', '/apps/drive', '/apps/drive/people', '/apps/notes']));
  });

  it('for those who are not signed in does too', async () => {
    const tab = await (await Visitor.arrives()).opens('/');
    await tab.at('/sign-in');
    const map = mapFor(tab);
    map.add('/sign-in', '/reset-password');
    await map.walkLinks();
    expect(map.visited).toEqual(expect.arrayContaining(['/sign-in', '/register', '/forgot-password']));
  });
});
