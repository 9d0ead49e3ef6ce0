/** English words of administration and billing. */
export const enAdmin = {
  status: {
    active: 'Active', suspended: 'Suspended', trial: 'Trial', past_due: 'Payment due', canceled: 'Canceled', expired: 'Expired', inactive: 'Inactive', degraded: 'Degraded', maintenance: 'Maintenance', hidden: 'Hidden',
    deprecated: 'No longer sold', pending: 'Waiting', approved: 'Approved', rejected: 'Rejected', success: 'Done', refused: 'Refused',
  },
  users: {
    title: 'People', text: 'Who belongs to your organization, and what they may do.', invite: 'Invite somebody', search: 'Search people by e-mail', name: 'Name', roles: 'Roles', status: 'Status', since: 'Since',
    none: 'Nobody here yet', nobody: 'Nobody matches', noneText: 'Invite people by e-mail; they choose their own password.', invited: 'An invitation is on its way to {{email}}.', sendInvite: 'Send invitation',
    inviteHint: 'A link to choose a password goes there.', changeRoles: 'Change roles', rolesOf: 'Roles of {{name}}', suspend: 'Suspend', suspendAsk: 'Suspend {{name}}?',
    suspendText: 'They are signed out everywhere within a second. Nothing is deleted.', activate: 'Activate', remove: 'Remove', removeAsk: 'Remove {{name}}?',
    removeText: 'The account and its sessions end now. This cannot be taken back.', removed: 'Removed',
  },
  roles: {
    title: 'Roles', text: 'What each role may do. Changes count at the next request of those who have it.', new: 'New role', show: 'Show', firstFour: 'The first four', permission: 'Permission', system: 'Built in', name: 'Name',
    description: 'Description', create: 'Create role', made: 'The role {{name}} is there. Give it permissions in the table.', removed: 'Role removed', removeAsk: 'Remove the role {{name}}?',
    removeText: 'Those who have it lose its permissions at once.',
  },
  organizations: {
    title: 'Organizations', text: 'Everybody who uses this platform.', search: 'Search organizations by name', name: 'Name', plan: 'Plan', none: 'No organization matches', changePlan: 'Change plan', planOf: 'Plan of {{name}}',
    suspendAsk: 'Suspend {{name}}?', suspendText: 'All its people are signed out everywhere within a second, and its share links stop. Nothing is deleted.',
  },
  firstRun: {
    title: 'Get the platform going', progress: '{{done}} of {{total}} done', allDone: 'Everything is done. Have a good time!', hide: 'Hide this guide', isDone: 'Done', open: 'To do',
    password: 'Choose your own password', passwordText: 'The first one was shown to whoever started the platform.', passwordGo: 'Change password',
    invite: 'Invite somebody', inviteText: 'They get a message with a link and choose their own password.', inviteGo: 'To the people',
    app: 'Switch an app on', appText: 'Choose an app of the registry and the organizations that shall have it.', appGo: 'To the apps',
    file: 'Upload a file', fileText: 'Drop one into {{app}} and share it with a link.', fileGo: 'Open {{app}}',
    satellite: 'Add your own satellite', satelliteText: 'Apply a SatelliteApp, or drop its manifest into the folder of satellites. Or let the platform write one:', satelliteGo: 'Register an app',
    samples: 'There are samples: {{names}}.', removeSamples: 'Remove the samples', removeAsk: 'Remove the samples?', removeText: '{{names}} will be switched off for every organization. They stay in the app registry, where they can be switched on again.', samplesRemoved: 'The samples are removed.',
  },
  apps: {
    title: 'App registry', text: 'Everything that is in somebody\'s launchpad, and where it comes from.', search: 'Search apps by name', name: 'App', version: 'Version', managedBy: 'Managed by', by_operator: 'Operator',
    by_api: 'Administrators', by_seed: 'Installation', register: 'Register an app', registerText: 'The app serves a description of itself beside its front-end. In a cluster a SatelliteApp does the same, and keeps it so.',
    uiUrl: 'Front-end', registered: '{{name}} is registered.', none: 'No app is registered', noneText: 'Apply a SatelliteApp, or register an app by the address of its front-end.', removed: 'App removed',
    removeAsk: 'Remove {{name}}?', removeText: 'It leaves every launchpad; its tokens stop. Its own data is not touched.', details: 'Details', back: '← App registry', operatorTitle: 'Kept by the operator',
    operatorText: 'The SatelliteApp {{object}} (generation {{generation}}) says what this entry is. Change it there.', where: 'Where it is', apiUrl: 'API', category: 'Category', changed: 'Changed', declares: 'What it declares',
    declaresNothing: 'Neither permissions nor limits.', organizations: 'Organizations', organizationsText: 'Who has this app in the launchpad.',
    conditions: 'Seen from this browser', lastCheck: 'Last check {{when}}', checkNow: 'Check now', condition: 'Condition', is: 'Is', reason: 'Reason', message: 'Message', since: 'Since', is_true: 'True', is_false: 'False', is_unknown: 'Unknown',
    report: 'Reported by the operator', reported: '{{when}}, generation {{generation}}', reportedVersion: 'Registered version', reportSource: 'More, with history and events:', nobodyReports_operator: 'The operator has not reported yet. It does when it next checks the SatelliteApp.',
    nobodyReports_api: 'Administrators keep this app, so no operator checks it or reports about it.', nobodyReports_seed: 'The app came with the installation, so no operator checks it or reports about it.',
    degradedTitle: 'Degraded', degradedText: 'The app has not answered properly since {{when}}. It stays in the launchpads, marked.', type_Ready: 'Ready', type_Reconciling: 'Being worked on', type_Stalled: 'Stalled', type_CacheSynced: 'Cache in step',
    type_UIReachable: 'Front-end reachable', type_APICompatible: 'API compatible', type_Drifted: 'Changed by somebody', type_Degraded: 'Degraded',
    type_Registered: 'Registered', type_Offered: 'Offered', type_Healthy: 'API healthy', type_FrontEnd: 'Front-end there', reason_Checking: 'Being checked', reason_InRegistry: 'In the registry', reason_active: 'Active', reason_degraded: 'Degraded', reason_inactive: 'Inactive',
    reason_maintenance: 'Maintenance', reason_Answers: 'Answers', reason_Refuses: 'Answers with an error', reason_NotAScript: 'Not a script', reason_NoAnswer: 'No answer to this browser',
  },
  audit: {
    title: 'Audit', text: 'What was done and what was refused. Entries are chained; nobody can change one unseen.', search: 'Search by action, such as users.update', at: 'When', actor: 'Who', action: 'Action', outcome: 'Outcome',
    anyOutcome: 'Any outcome', address: 'Address', target: 'What', reason: 'Reason', request: 'Request', hash: 'Entry', before: 'Before', after: 'After', none: 'Nothing matches', kind_user: 'Person', kind_service: 'Service',
    kind_operator: 'Operator', kind_anonymous: 'Nobody signed in', kind_system: 'The platform',
  },
  plans: {
    title: 'Plans', text: 'What is sold, for how much, and with which limits.', prices: '{{month}} a month · {{year}} a year', limits: 'Limits', unlimited: 'Unlimited', unlimitedHint: '-1 is unlimited',
    editLimits: 'Change limits', period_monthly: 'a month', period_daily: 'a day', period_total: 'in all',
  },
  billing: {
    title: 'Plan and billing', text: 'What your organization has, what it has used, and how it pays.', current: 'Your plan', monthly: 'Paid by the month, renews on {{date}}.', yearly: 'Paid by the year, renews on {{date}}.',
    endsOn: 'Ends on {{date}}.', trialUntil: 'Free to try until {{date}}.', next: 'Then {{plan}}.', portal: 'Manage at the payment processor', invoices: 'Invoices', invoicesText: 'The payment processor writes the invoices and keeps them. Its page shows every one, with the receipt.', invoicesOpen: 'Show invoices', usage: 'Used', of: '{{used}} of {{limit}}', unlimited: '{{used}}, unlimited', resets: 'Begins again on {{date}}',
    plans: 'All plans', interval: 'Payment interval', byMonth: 'By the month', byYear: 'By the year', per_monthly: 'a month', per_yearly: 'a year', yours: 'Your plan', choose: 'Choose {{plan}}', methods: 'Cards',
    noMethods: 'No card is saved. The checkout page saves the one you pay with.', card: '{{brand}} ending in {{last4}}', expires: 'Expires {{month}}/{{year}}', default: 'Default', makeDefault: 'Make default',
    removeCard: 'Remove this card?', methodRemoved: 'Card removed', paid: 'Thank you. The payment went through.', waiting: 'The payment processor is confirming your plan; it shows here in a moment.',
  },
  limits: {
    users: 'People', apps: 'Apps', api_calls: 'API calls', 'drive.storage_bytes': 'Storage in Drive',
  },
  onboarding: {
    title: 'Onboarding', text: 'Companies that want to come in.', search: 'Search by company', company: 'Company', people_one: '{{size}} person', people_other: '{{size}} people', applicant: 'Applicant', asked: 'Asked',
    none: 'Nobody is waiting', noneText: 'Requests from the public form appear here.', approve: 'Approve', reject: 'Reject', approveAsk: 'Approve {{name}}?',
    approveText: 'The organization, its administrator, its plan and its apps are made at once. An invitation goes to {{email}}.', planHint: 'Without payment; otherwise the plan that was asked for begins.',
    approved: '{{name}} is in. An invitation is on its way to {{email}}.', rejectAsk: 'Reject {{name}}?', reason: 'Reason, kept with the request', rejected: '{{name}} was rejected.',
  },
  stats: {
    title: 'Statistics', of_platform: 'The whole platform at {{at}}.', of_organization: 'Your organization at {{at}}.', new30_one: '{{count}} in the last 30 days', new30_other: '{{count}} in the last 30 days',
    unwell_one: '{{count}} is not well', unwell_other: '{{count}} are not well', allWell: 'All are well', suspended: 'Suspended', people: 'people', signIns: 'Sign-ins', last30_one: '{{count}} in the last 30 days',
    last30_other: '{{count}} in the last 30 days', signInsLabel_one: '{{count}} sign-in in the last 30 days, by day', signInsLabel_other: '{{count}} sign-ins in the last 30 days, by day', succeeded: 'Succeeded',
    refused: 'Refused', revenue: 'Revenue by plan', paying: 'Paying', monthly: 'A month', pressure: 'Close to a limit', noPressure: 'Nobody has used more than 80 % of a limit.',
  },
};
