/** English: the language every other one is complete against. */
export const en = {
  brand: 'Satellite Platform',
  skip: 'Skip to content',
  auth: {
    signIn: 'Sign in', signInTitle: 'Welcome back', signInText: 'Sign in to open your apps.', user: 'E-mail or user name', password: 'Password', forgot: 'Forgot your password?', noAccount: 'New here?', register: 'Create an account',
    with: 'Continue with {{provider}}', or: 'or', registerTitle: 'Create your account', registerText: 'Your organization is made with it; you will be its administrator.', firstName: 'First name', lastName: 'Last name', email: 'E-mail', username: 'User name',
    usernameHint: 'Letters, digits, dot, dash and underscore', passwordHint: 'At least 8 characters', plan: 'Plan', haveAccount: 'Already have an account?', create: 'Create account', perMonth: '{{price}} a month', free: 'Free', trial: '14 days free',
    resetTitle: 'Reset your password', resetText: 'We send you a link to choose a new one.', sendLink: 'Send link', linkSent: 'Look into your mailbox', linkSentText: 'If there is an account for {{email}}, a link is on its way. It is good for one hour.',
    newPassword: 'New password', choosePassword: 'Choose a new password', inviteTitle: 'Welcome', inviteText: 'Choose a password to open your account.', setPassword: 'Set password', passwordSet: 'Password set. Sign in with it.', backToSignIn: 'Back to sign-in',
    badLink: 'This link is not complete', badLinkText: 'Open the link from the message again, or ask for a new one.', finishing: 'Signing you in', required: 'Fill this in', tooShort: 'At least 8 characters', badEmail: 'An e-mail address has the form name@example.org', signOut: 'Sign out',
    failed: 'You are not signed in',
    failures: {
      other: 'The sign-in was not finished in time, or was begun in another browser. Begin again.', provider_refused: 'The provider did not sign you in. Begin again, or use another way.', provider_unavailable: 'The provider does not answer. Try again in a moment.',
      sign_in_refused: 'This account cannot sign in. Ask an administrator.', email_not_verified: 'The provider has not verified your e-mail address. Verify it there, then begin again.', link_required: 'An account has your e-mail address already. Choose a new password for it by “Forgot your password?” to show that it is yours, then begin again.',
    },
  },
  nav: { launchpad: 'Launchpad', apps: 'Apps', administration: 'Administration', menu: 'Open navigation', user: 'Your account', search: 'Search or jump to…', theme: 'Switch to {{scheme}} mode', dark: 'dark', light: 'light', platform: 'Platform' },
  launchpad: { degraded: 'Degraded', degradedText: 'This app may not work at the moment.', morning: 'Good morning, {{name}}', afternoon: 'Good afternoon, {{name}}', evening: 'Good evening, {{name}}', hint: 'Choose an app, or press {{keys}} to search everything.', none: 'No apps yet', noneText: 'Apps appear here as soon as they are registered and enabled for {{organization}}.', noneAdmin: 'Open the app registry' },
  remote: { failed: '{{name}} cannot be opened', failedText: 'The rest of the platform is not affected.', crashed: '{{name}} stopped working', noPage: '{{name}} has no page', noPageText: 'This app is used through its API only.', slow: '{{name}} does not answer', unknown: 'There is no such app', unknownText: 'It may have been removed, or is not enabled for your organization.', opening: 'Opening {{name}}' },
  palette: { nothing: 'Nothing found', pages: 'Pages', apps: 'Apps', actions: 'Actions' },
  account: {
    title: 'Your account', profile: 'Profile', security: 'Security', preferences: 'Preferences', sessions: 'Sessions', sessionsText: 'Where you are signed in. End what you do not know.', endSession: 'End session', endThis: 'End this session?', endThisText: 'You will be signed out here.', thisSession: 'This session', lastUsed: 'Last used {{when}}', ended: 'Session ended',
    language: 'Language', theme: 'Appearance', themeLight: 'Light', themeDark: 'Dark', themeAuto: 'As the system', changePassword: 'Change password', currentPassword: 'Current password', passwordChanged: 'Password changed. Sign in with the new one.', changeText: 'Ends every session, this one too.', organization: 'Organization', roles: 'Roles', saved: 'Saved',
  },
  notFound: { title: 'There is nothing here', text: 'The address may be old, or mistyped.', home: 'To the launchpad', forbidden: 'You may not see this page', forbiddenText: 'It needs the permission {{permission}}. Ask an administrator of your organization.' },
};
