/** English, the language that every other falls back to. */
export const en = {
  title: 'Drive', text: 'Files and folders of your organization.', root: 'All files', where: 'Folders on the way to this one', toFiles: 'To the files', nowhere: 'There is no such page in Drive', nowhereText: 'Perhaps the address was cut.',
  empty: 'Nothing is here yet', emptyText: 'Drop files on the field above, or make a folder.', showMore: 'Show more', more_one: 'One more is not shown. Search for it by name.', more_other: '{{number}} more are not shown. Search for them by name.',
  storage_one: '{{bytes}} stored in one file', storage_other: '{{bytes}} stored in {{number}} files', failures_one: 'This could not be done', failures_other: '{{count}} could not be done',
  column: { name: 'Name', owner: 'Owner', size: 'Size', changed: 'Changed' },
  sort: { label: 'Order', name: 'Name', updatedAt: 'Last changed', size: 'Largest' },
  view: { label: 'View', list: 'List', grid: 'Tiles' },
  search: { label: 'Search all files by name', placeholder: 'Search files', clear: 'Clear the search', everywhere: 'Found in all folders', none: 'No file matches', noneText: 'The search looks for a part of the name, in all folders.' },
  selection: { clear: 'Clear selection' },
  action: { open: 'Open', preview: 'Preview', download: 'Download', share: 'Share', rename: 'Rename', move: 'Move' },
  download: { failed: '{{name}} could not be downloaded' },
  folder: { new: 'New folder', create: 'Create folder', made: 'The folder {{name}} is there.' },
  name: { label: 'Name', rename: 'Rename {{name}}', renamed: 'It is called {{name}} now.', required: 'Give it a name' },
  move: { one: 'Move {{name}}', many: 'Move {{count}} items', where: 'Where to?', here: 'Move here', same: 'It is there already. Choose another folder.', none: 'No folders', below: 'Folders in {{name}}', done_one: '{{name}} was moved.', done_other: '{{count}} items were moved.' },
  remove: {
    one: 'Delete {{name}}?', many: 'Delete {{count}} items?', others: 'and {{count}} more', forGood: 'This is for good, and ends their share links.', done_one: '{{name}} was deleted.', done_other: '{{count}} items were deleted.', counting: 'Looking at what is in it …', unknown: 'Everything in it goes too.',
    empty_one: 'The folder is empty.', empty_other: 'The folders are empty.', contents_one: 'The folder contains {{folders}} and {{files}}, which go too.', contents_other: 'The folders contain {{folders}} and {{files}}, which go too.',
    atLeast_one: 'The folder contains more than {{folders}} and {{files}}, which go too.', atLeast_other: 'The folders contain more than {{folders}} and {{files}}, which go too.',
  },
  count: { folders_zero: 'no folders', files_zero: 'no files', folders_one: 'one folder', folders_other: '{{number}} folders', files_one: 'one file', files_other: '{{number}} files' },
  share: {
    title: 'Share {{name}}', text: 'Whoever has a link can download the file, without an account, until the link ends.', days: 'The link works for', day_one: 'one day', day_other: '{{count}} days', make: 'Make a link', none: 'No link leads to this file.', links: 'Links that work', address: 'Address of the link',
    noAddress: 'The address cannot be shown any more', copy: 'Copy the link', revoke: 'End', revokeAsk: 'End this link?', revokeText: 'Whoever has it gets nothing from now on.', until: 'Works until {{time}}', new: 'New',
  },
  preview: { facts: '{{size}} · {{type}} · {{time}}', none: 'No preview', noneText: 'Your browser does not show files of this kind. Download it to open it.', empty: 'The file is empty', part: 'The first {{size}}' },
  upload: {
    title: 'Uploads', button: 'Upload', drop: 'Drop files here, or click to choose', going: '{{done}} of {{total}} uploaded', over: '{{done}} of {{total}} uploaded.', failedCount_one: 'One failed.', failedCount_other: '{{count}} failed.', cancelAll: 'Cancel all', clear: 'Clear list', progress: 'Progress of {{name}}',
    state_waiting: '{{size}}, waiting', state_done: '{{size}}, uploaded', state_cancelled: 'Cancelled', cancel: 'Cancel the upload of {{name}}', retry: 'Upload {{name}} again', keepBoth: 'Keep both', conflict: 'A file with this name is here already. Keep both, and this one becomes {{other}}.', unreachable: 'The connection was lost. Nothing was stored.',
  },
  people: {
    title: 'People', heading: 'People of Drive', text: 'Who may use this Drive, and as what.', invite: 'Add somebody', person: 'Name', roles: 'Roles', role: 'Role', status: 'Status', status_active: 'Active', status_suspended: 'Suspended', since: 'Since', none: 'Nobody is here', changeRoles: 'Change roles', rolesOf: 'Roles of {{name}}',
    rolesDone: 'The roles of {{name}} are changed.', suspend: 'Suspend', activate: 'Activate', suspendAsk: 'Suspend {{name}}?', suspendText: 'They cannot use Drive from now on, and their share links stop. Their files stay.', done_active: '{{name}} can use Drive again.', done_suspended: '{{name}} is suspended.', email: 'E-mail',
    emailHint: 'Of the account with which they sign in to the platform.', name: 'Name (optional)', badEmail: 'An e-mail address looks like name@example.org', invited: '{{email}} can use Drive.',
  },
  role: { admin: 'Administrator', adminText: 'Everything, also what others made, and who may use Drive', editor: 'Editor', editorText: 'Upload and share; change, move and delete what is their own', viewer: 'Viewer', viewerText: 'See and download' },
};
