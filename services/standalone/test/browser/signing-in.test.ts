import { stage } from './support/stage.js';
import { registered } from './support/people.js';
import { Visitor } from './support/visitor.js';

describe('signing in', () => {
  it('says what is wrong, lets in who is right, and lands where the link pointed', async () => {
    const visitor = await Visitor.arrives();
    visitor.expects(/^401 POST \/api\/auth\/local-login$/);
    const tab = await visitor.opens('/admin/apps?page=1');
    await tab.at('/sign-in');
    await tab.fills('E-mail or user name', stage().adminEmail);
    await tab.fills('Password', 'not the password');
    await tab.clicks('button', 'Sign in');
    await tab.reads('wrong');
    await tab.fills('Password', stage().adminPassword);
    await tab.clicks('button', 'Sign in');
    await tab.at('/admin/apps');
    await tab.finds('heading', 'App registry');
  });

  it('signs out of every tab at once', async () => {
    const visitor = await Visitor.arrives({ session: (await registered()).session });
    const [first, second] = [await visitor.opens('/'), await visitor.opens('/account')];
    await second.finds('heading', 'Your account');
    await first.page.bringToFront();
    await first.clicks('button', 'Your account');
    await first.clicks('menuitem', 'Sign out');
    await first.at('/sign-in');
    await second.page.bringToFront();
    await second.at('/sign-in');
    await second.finds('heading', 'Welcome back');
  });
});
