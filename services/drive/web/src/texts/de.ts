import type { en } from './en.js';

/** German. */
export const de: typeof en = {
  title: 'Drive', text: 'Dateien und Ordner deiner Organisation.', root: 'Alle Dateien', where: 'Ordner auf dem Weg zu diesem', toFiles: 'Zu den Dateien', nowhere: 'Diese Seite gibt es in Drive nicht', nowhereText: 'Vielleicht wurde die Adresse abgeschnitten.',
  empty: 'Hier ist noch nichts', emptyText: 'Lege Dateien auf dem Feld oben ab oder lege einen Ordner an.', showMore: 'Mehr zeigen', more_one: 'Eine weitere wird nicht gezeigt. Suche sie nach Namen.', more_other: '{{number}} weitere werden nicht gezeigt. Suche sie nach Namen.',
  storage_one: '{{bytes}} in einer Datei gespeichert', storage_other: '{{bytes}} in {{number}} Dateien gespeichert', failures_one: 'Das ging nicht', failures_other: '{{count}} gingen nicht',
  column: { name: 'Name', owner: 'Von', size: 'Größe', changed: 'Geändert' },
  sort: { label: 'Reihenfolge', name: 'Name', updatedAt: 'Zuletzt geändert', size: 'Größte' },
  view: { label: 'Ansicht', list: 'Liste', grid: 'Kacheln' },
  search: { label: 'Alle Dateien nach Namen durchsuchen', placeholder: 'Dateien suchen', clear: 'Suche leeren', everywhere: 'In allen Ordnern gefunden', none: 'Keine Datei passt', noneText: 'Gesucht wird ein Teil des Namens, in allen Ordnern.' },
  selection: { clear: 'Auswahl aufheben' },
  action: { open: 'Öffnen', preview: 'Vorschau', download: 'Herunterladen', share: 'Teilen', rename: 'Umbenennen', move: 'Verschieben' },
  download: { failed: '{{name}} konnte nicht heruntergeladen werden' },
  folder: { new: 'Neuer Ordner', create: 'Ordner anlegen', made: 'Der Ordner {{name}} ist da.' },
  name: { label: 'Name', rename: '{{name}} umbenennen', renamed: 'Der Name ist jetzt {{name}}.', required: 'Gib einen Namen an' },
  move: { one: '{{name}} verschieben', many: '{{count}} Einträge verschieben', where: 'Wohin?', here: 'Hierher verschieben', same: 'Da ist es schon. Wähle einen anderen Ordner.', none: 'Keine Ordner', below: 'Ordner in {{name}}', done_one: '{{name}} wurde verschoben.', done_other: '{{count}} Einträge wurden verschoben.' },
  remove: {
    one: '{{name}} löschen?', many: '{{count}} Einträge löschen?', others: 'und {{count}} weitere', forGood: 'Das ist endgültig und beendet auch ihre Links.', done_one: '{{name}} wurde gelöscht.', done_other: '{{count}} Einträge wurden gelöscht.', counting: 'Es wird nachgesehen, was darin ist …', unknown: 'Alles darin wird auch gelöscht.',
    empty_one: 'Der Ordner ist leer.', empty_other: 'Die Ordner sind leer.', contents_one: 'Im Ordner sind {{folders}} und {{files}}; auch das wird gelöscht.', contents_other: 'In den Ordnern sind {{folders}} und {{files}}; auch das wird gelöscht.',
    atLeast_one: 'Im Ordner sind mehr als {{folders}} und {{files}}; auch das wird gelöscht.', atLeast_other: 'In den Ordnern sind mehr als {{folders}} und {{files}}; auch das wird gelöscht.',
  },
  count: { folders_zero: 'keine Ordner', files_zero: 'keine Dateien', folders_one: 'ein Ordner', folders_other: '{{number}} Ordner', files_one: 'eine Datei', files_other: '{{number}} Dateien' },
  share: {
    title: '{{name}} teilen', text: 'Wer einen Link hat, kann die Datei ohne Konto herunterladen, bis der Link endet.', days: 'Der Link gilt', day_one: 'einen Tag', day_other: '{{count}} Tage', make: 'Link anlegen', none: 'Kein Link führt zu dieser Datei.', links: 'Gültige Links', address: 'Adresse des Links',
    noAddress: 'Die Adresse lässt sich nicht mehr zeigen', copy: 'Link kopieren', revoke: 'Beenden', revokeAsk: 'Diesen Link beenden?', revokeText: 'Wer ihn hat, bekommt ab jetzt nichts mehr.', until: 'Gilt bis {{time}}', new: 'Neu',
  },
  preview: { facts: '{{size}} · {{type}} · {{time}}', none: 'Keine Vorschau', noneText: 'Dein Browser zeigt Dateien dieser Art nicht. Lade sie herunter, um sie zu öffnen.', empty: 'Die Datei ist leer', part: 'Die ersten {{size}}' },
  upload: {
    title: 'Uploads', button: 'Hochladen', drop: 'Dateien hier ablegen oder klicken, um zu wählen', going: '{{done}} von {{total}} hochgeladen', over: '{{done}} von {{total}} hochgeladen.', failedCount_one: 'Einer schlug fehl.', failedCount_other: '{{count}} schlugen fehl.', cancelAll: 'Alle abbrechen', clear: 'Liste leeren', progress: 'Fortschritt von {{name}}',
    state_waiting: '{{size}}, wartet', state_done: '{{size}}, hochgeladen', state_cancelled: 'Abgebrochen', cancel: 'Upload von {{name}} abbrechen', retry: '{{name}} noch einmal hochladen', keepBoth: 'Beide behalten', conflict: 'Eine Datei dieses Namens ist schon hier. Behalte beide, dann heißt diese {{other}}.', unreachable: 'Die Verbindung ging verloren. Nichts wurde gespeichert.',
  },
  people: {
    title: 'Personen', heading: 'Personen in Drive', text: 'Wer dieses Drive benutzen darf, und als was.', invite: 'Jemanden hinzufügen', person: 'Name', roles: 'Rollen', role: 'Rolle', status: 'Zustand', status_active: 'Aktiv', status_suspended: 'Gesperrt', since: 'Seit', none: 'Niemand ist hier', changeRoles: 'Rollen ändern', rolesOf: 'Rollen von {{name}}',
    rolesDone: 'Die Rollen von {{name}} sind geändert.', suspend: 'Sperren', activate: 'Freischalten', suspendAsk: '{{name}} sperren?', suspendText: 'Drive ist ab jetzt nicht mehr benutzbar, und die Links dieser Person enden. Ihre Dateien bleiben.', done_active: '{{name}} kann Drive wieder benutzen.', done_suspended: '{{name}} ist gesperrt.', email: 'E-Mail',
    emailHint: 'Vom Konto, mit dem sich die Person an der Plattform anmeldet.', name: 'Name (freiwillig)', badEmail: 'Eine E-Mail-Adresse hat die Form name@example.org', invited: '{{email}} kann Drive benutzen.',
  },
  role: { admin: 'Verwaltung', adminText: 'Alles, auch was anderen gehört, und wer Drive benutzen darf', editor: 'Bearbeitung', editorText: 'Hochladen und teilen; Eigenes ändern, verschieben und löschen', viewer: 'Ansicht', viewerText: 'Ansehen und herunterladen' },
};
