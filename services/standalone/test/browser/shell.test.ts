import { colleagueOf, registered } from './support/people.js';
import type { Tab } from './support/tab.js';
import { Visitor } from './support/visitor.js';

describe('signing in', () => {
  it('says what is wrong, lets in who is right, and lands where the link pointed', async () => {
    const person = await registered();
    const visitor = await Visitor.arrives();
    visitor.expects(/^401 POST \/api\/auth\/local-login$/);
    const tab = await visitor.opens('/admin/users?page=1');
    await tab.at('/sign-in');
    await tab.fills('E-mail or user name', person.email);
    await tab.fills('Password', 'not the password');
    await tab.clicks('button', 'Sign in');
    await tab.reads('The user name or the password is wrong.');
    await tab.fills('Password', person.password);
    await tab.clicks('button', 'Sign in');
    await tab.at('/admin/users');
    await tab.finds('heading', 'People');
  });

  it('ends in every tab at once', async () => {
    const visitor = await Visitor.arrives({ session: (await registered()).session });
    const [first, second] = [await visitor.opens('/'), await visitor.opens('/account')];
    await second.finds('heading', 'Your account');
    await first.page.bringToFront();
    await first.chooses('Your account: AB', 'Sign out');
    await first.at('/sign-in');
    await second.page.bringToFront();
    await second.at('/sign-in');
    await second.finds('heading', 'Welcome back');
  });
});

describe('the keyboard', () => {
  it('opens the palette, which goes where the words say', async () => {
    const tab = await (await Visitor.arrives({ session: (await registered()).session })).opens('/');
    await tab.settles();
    await tab.opensPalette();
    await tab.page.keyboard.type('people');
    await tab.presses('Enter');
    await tab.at('/admin/users');
  });

  it('is given back by a dialog to what opened it', async () => {
    const tab = await (await Visitor.arrives({ session: (await registered()).session })).opens('/admin/users');
    await tab.finds('button', 'Invite somebody');
    await (await tab.finds('button', 'Invite somebody')).focus();
    await tab.presses('Enter');
    await tab.finds('dialog', 'Invite somebody');
    expect(await tab.violations()).toEqual([]);
    await tab.presses('Escape');
    await tab.misses('dialog', 'Invite somebody');
    await tab.focused('Invite somebody');
  });
});

describe('what somebody may do', () => {
  const pages = async (tab: Tab): Promise<readonly string[]> => (await tab.links()).filter((path) => path.startsWith('/admin/'));

  it('changes under their eyes when their role does', async () => {
    const admin = await registered();
    const colleague = await colleagueOf(admin, ['ADMIN']);
    const theirs = await (await Visitor.arrives({ session: colleague.session })).opens('/');
    await theirs.finds('link', 'People');
    expect(await pages(theirs)).toContain('/admin/roles');

    const mine = await (await Visitor.arrives({ session: admin.session })).opens('/admin/users');
    await mine.chooses(`Actions: ${colleague.email}`, 'Change roles');
    await mine.clicks('checkbox', 'ADMIN');
    await mine.clicks('button', 'Save');
    await mine.reads('Saved');

    await theirs.returns();
    await theirs.misses('link', 'People');
    expect(await pages(theirs)).toEqual([]);
    await theirs.goes('/admin/users');
    await theirs.finds('heading', 'You may not see this page');
  });
});

describe('a plan', () => {
  it('is chosen, paid on the local payment page, and there', async () => {
    const tab = await (await Visitor.arrives({ session: (await registered('HOBBY')).session })).opens('/settings/billing');
    await tab.clicks('button', 'Choose Pro');
    await tab.finds('heading', 'Subscribe to Pro');
    expect(await tab.violations()).toEqual([]);
    await tab.page.locator('button[type="submit"]').click();
    await tab.at('/settings/billing');
    await tab.finds('heading', 'Pro');
    await tab.misses('button', 'Choose Pro');
  });
});

describe('the look', () => {
  it('follows the button, and is kept', async () => {
    const tab = await (await Visitor.arrives({ session: (await registered()).session })).opens('/');
    await tab.clicks('button', 'Switch to dark mode');
    await tab.finds('button', 'Switch to light mode');
    await tab.page.reload();
    await tab.finds('button', 'Switch to light mode');
    expect(await tab.page.evaluate(() => getComputedStyle(document.body).colorScheme)).toContain('dark');
  });

  it('on a telephone keeps the whole navigation in reach', async () => {
    const tab = await (await Visitor.arrives({ session: (await registered()).session })).opens('/');
    await tab.size(360, 560);
    await tab.clicks('button', 'Open navigation');
    await tab.reaches('link', 'Audit');
    await tab.clicks('link', 'Audit');
    await tab.at('/admin/audit');
    await tab.settles();
    expect(await tab.overhang()).toEqual([]);
  });
});
