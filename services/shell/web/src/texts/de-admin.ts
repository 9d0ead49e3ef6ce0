import type { enAdmin } from './en-admin.js';

/** German words of administration and billing. */
export const deAdmin: typeof enAdmin = {
  status: {
    active: 'Aktiv', suspended: 'Gesperrt', trial: 'Probezeit', past_due: 'Zahlung offen', canceled: 'Gekündigt', expired: 'Abgelaufen', inactive: 'Inaktiv', degraded: 'Eingeschränkt', maintenance: 'Wartung', hidden: 'Verborgen',
    deprecated: 'Nicht mehr im Verkauf', pending: 'Wartet', approved: 'Angenommen', rejected: 'Abgelehnt', success: 'Getan', refused: 'Abgewiesen',
  },
  users: {
    title: 'Personen', text: 'Wer zu deiner Organisation gehört und was diese Personen dürfen.', invite: 'Jemanden einladen', search: 'Personen nach E-Mail suchen', name: 'Name', roles: 'Rollen', status: 'Zustand', since: 'Seit',
    none: 'Noch niemand da', nobody: 'Niemand passt', noneText: 'Lade Personen per E-Mail ein; ihr Passwort wählen sie selbst.', invited: 'Eine Einladung ist unterwegs an {{email}}.', sendInvite: 'Einladung schicken',
    inviteHint: 'Dorthin geht ein Link, um ein Passwort zu wählen.', changeRoles: 'Rollen ändern', rolesOf: 'Rollen von {{name}}', suspend: 'Sperren', suspendAsk: '{{name}} sperren?',
    suspendText: 'Die Abmeldung gilt überall innerhalb einer Sekunde. Gelöscht wird nichts.', activate: 'Freischalten', remove: 'Entfernen', removeAsk: '{{name}} entfernen?',
    removeText: 'Konto und Sitzungen enden jetzt. Das lässt sich nicht zurücknehmen.', removed: 'Entfernt',
  },
  roles: {
    title: 'Rollen', text: 'Was jede Rolle darf. Änderungen gelten bei der nächsten Anfrage aller, die sie haben.', new: 'Neue Rolle', show: 'Zeigen', firstFour: 'Die ersten vier', permission: 'Berechtigung', system: 'Eingebaut',
    name: 'Name', description: 'Beschreibung', create: 'Rolle anlegen', made: 'Die Rolle {{name}} ist da. Gib ihr Berechtigungen in der Tabelle.', removed: 'Rolle entfernt', removeAsk: 'Rolle {{name}} entfernen?',
    removeText: 'Wer sie hat, verliert ihre Berechtigungen sofort.',
  },
  organizations: {
    title: 'Organisationen', text: 'Alle, die diese Plattform benutzen.', search: 'Organisationen nach Namen suchen', name: 'Name', plan: 'Tarif', none: 'Keine Organisation passt', changePlan: 'Tarif ändern',
    planOf: 'Tarif von {{name}}', suspendAsk: '{{name}} sperren?', suspendText: 'Alle ihre Personen werden innerhalb einer Sekunde abgemeldet, geteilte Links enden. Gelöscht wird nichts.',
  },
  firstRun: {
    title: 'Die Plattform in Gang bringen', progress: '{{done}} von {{total}} erledigt', allDone: 'Alles ist erledigt. Viel Vergnügen!', hide: 'Diese Anleitung ausblenden', isDone: 'Erledigt', open: 'Offen',
    password: 'Ein eigenes Passwort wählen', passwordText: 'Das erste hat jeder gesehen, der die Plattform gestartet hat.', passwordGo: 'Passwort ändern',
    invite: 'Jemanden einladen', inviteText: 'Die Person bekommt eine Nachricht mit einem Link und wählt ihr Passwort selbst.', inviteGo: 'Zu den Personen',
    app: 'Eine App einschalten', appText: 'Eine App des Verzeichnisses wählen, und die Organisationen, die sie haben sollen.', appGo: 'Zu den Apps',
    file: 'Eine Datei hochladen', fileText: 'Eine Datei in {{app}} ablegen und mit einem Link teilen.', fileGo: '{{app}} öffnen',
    satellite: 'Einen eigenen Satelliten hinzufügen', satelliteText: 'Eine SatelliteApp anwenden oder ihr Manifest in den Ordner der Satelliten legen. Oder die Plattform einen schreiben lassen:', satelliteGo: 'Eine App anmelden',
    samples: 'Es gibt Beispiele: {{names}}.', removeSamples: 'Beispiele entfernen', removeAsk: 'Die Beispiele entfernen?', removeText: '{{names}} werden für alle Organisationen ausgeschaltet. Im App-Verzeichnis bleiben sie und können wieder eingeschaltet werden.', samplesRemoved: 'Die Beispiele sind entfernt.',
  },
  apps: {
    title: 'App-Verzeichnis', text: 'Alles, was auf einer Startseite steht, und woher es kommt.', search: 'Apps nach Namen suchen', name: 'App', version: 'Version', managedBy: 'Verwaltet von', by_operator: 'Operator',
    by_api: 'Personen', by_seed: 'Installation', register: 'App registrieren', registerText: 'Die App beschreibt sich selbst neben ihrer Oberfläche. In einem Cluster tut eine SatelliteApp dasselbe und hält es so.',
    uiUrl: 'Oberfläche', registered: '{{name}} ist registriert.', none: 'Keine App ist registriert', noneText: 'Wende eine SatelliteApp an oder registriere eine App über die Adresse ihrer Oberfläche.', removed: 'App entfernt',
    removeAsk: '{{name}} entfernen?', removeText: 'Sie verlässt jede Startseite, ihre Token enden. Ihre eigenen Daten bleiben.', details: 'Einzelheiten', back: '← App-Verzeichnis', operatorTitle: 'Vom Operator gehalten',
    operatorText: 'Die SatelliteApp {{object}} (Generation {{generation}}) bestimmt diesen Eintrag. Ändere ihn dort.', where: 'Wo sie ist', apiUrl: 'API', category: 'Kategorie', changed: 'Geändert', declares: 'Was sie erklärt',
    declaresNothing: 'Weder Berechtigungen noch Grenzen.', organizations: 'Organisationen', organizationsText: 'Wer diese App auf der Startseite hat.',
    conditions: 'Von diesem Browser aus', lastCheck: 'Zuletzt geprüft {{when}}', checkNow: 'Jetzt prüfen', condition: 'Bedingung', is: 'Gilt', reason: 'Grund', message: 'Meldung', since: 'Seit', is_true: 'Ja', is_false: 'Nein', is_unknown: 'Unbekannt',
    type_RolledOut: 'Ausgerollt', rollOut: 'Einführung', rollOut_Progressing: 'Läuft', rollOut_Paused: 'Angehalten', rollOut_RolledBack: 'Zurückgenommen', rollOut_Completed: 'Fertig', rollOutPausedText: 'Sie geht von selbst weiter, sobald nichts mehr im Weg ist; was es ist, steht oben unter Bereit.', rollOut_Planned: 'Geplant',
    rollOutApp: 'Organisationen, die die App haben', rollOutAppText: 'Bisher haben {{percent}} % der Organisationen die App. Ein Schalter unten entscheidet für eine von ihnen anders.', rollOutFrontEnd: 'Organisationen mit der neuen Oberfläche',
    rollOutFrontEndText: '{{percent}} % der Organisationen bekommen Version {{canary}}, die anderen {{stable}}.', gets_canary: 'Neu: {{version}}', gets_stable: 'Stabil: {{version}}', notYet: 'Noch nicht an der Reihe',
    report: 'Vom Operator gemeldet', reported: '{{when}}, Generation {{generation}}', reportedVersion: 'Registrierte Version', reportSource: 'Mehr, mit Verlauf und Ereignissen:', nobodyReports_operator: 'Der Operator hat noch nichts gemeldet. Er tut es, wenn er die SatelliteApp das nächste Mal prüft.',
    nobodyReports_api: 'Diese App verwalten Administratoren, daher prüft sie kein Operator, und keiner meldet etwas.', nobodyReports_seed: 'Diese App kam mit der Installation, daher prüft sie kein Operator, und keiner meldet etwas.',
    degradedTitle: 'Eingeschränkt', degradedText: 'Die App antwortet seit {{when}} nicht richtig. Sie bleibt auf den Startseiten, mit einem Hinweis.', type_Ready: 'Bereit', type_Reconciling: 'In Arbeit', type_Stalled: 'Steht still', type_CacheSynced: 'Cache im Gleichstand',
    type_UIReachable: 'Oberfläche erreichbar', type_APICompatible: 'API verträglich', type_Drifted: 'Von jemandem geändert', type_Degraded: 'Eingeschränkt',
    type_Registered: 'Registriert', type_Offered: 'Angeboten', type_Healthy: 'API gesund', type_FrontEnd: 'Oberfläche vorhanden', reason_Checking: 'Wird geprüft', reason_InRegistry: 'Im Verzeichnis', reason_active: 'Aktiv', reason_degraded: 'Eingeschränkt', reason_inactive: 'Inaktiv',
    reason_maintenance: 'Wartung', reason_Answers: 'Antwortet', reason_Refuses: 'Antwortet mit einem Fehler', reason_NotAScript: 'Kein Skript', reason_NoAnswer: 'Keine Antwort an diesen Browser',
  },
  audit: {
    title: 'Protokoll', text: 'Was getan und was abgewiesen wurde. Die Einträge sind verkettet; niemand ändert einen unbemerkt.', search: 'Nach Aktion suchen, etwa users.update', at: 'Wann', actor: 'Wer', action: 'Aktion',
    outcome: 'Ausgang', anyOutcome: 'Jeder Ausgang', address: 'Adresse', target: 'Was', reason: 'Grund', request: 'Anfrage', hash: 'Eintrag', before: 'Vorher', after: 'Nachher', none: 'Nichts passt', kind_user: 'Person',
    kind_service: 'Dienst', kind_operator: 'Operator', kind_anonymous: 'Niemand angemeldet', kind_system: 'Die Plattform',
  },
  plans: {
    title: 'Tarife', text: 'Was verkauft wird, für wie viel und mit welchen Grenzen.', prices: '{{month}} im Monat · {{year}} im Jahr', limits: 'Grenzen', unlimited: 'Unbegrenzt', unlimitedHint: '-1 ist unbegrenzt',
    editLimits: 'Grenzen ändern', period_monthly: 'im Monat', period_daily: 'am Tag', period_total: 'insgesamt',
  },
  billing: {
    title: 'Tarif und Abrechnung', text: 'Was deine Organisation hat, was sie davon verbraucht hat und wie sie zahlt.', current: 'Dein Tarif', monthly: 'Monatlich bezahlt, verlängert sich am {{date}}.',
    yearly: 'Jährlich bezahlt, verlängert sich am {{date}}.', endsOn: 'Endet am {{date}}.', trialUntil: 'Kostenlos zum Ausprobieren bis {{date}}.', next: 'Danach {{plan}}.', portal: 'Beim Zahlungsdienst verwalten', invoices: 'Rechnungen', invoicesText: 'Der Zahlungsdienst schreibt die Rechnungen und bewahrt sie auf. Seine Seite zeigt jede davon mit dem Beleg.', invoicesOpen: 'Rechnungen zeigen', usage: 'Verbraucht', of: '{{used}} von {{limit}}',
    unlimited: '{{used}}, unbegrenzt', resets: 'Beginnt neu am {{date}}', plans: 'Alle Tarife', interval: 'Zahlungsweise', byMonth: 'Monatlich', byYear: 'Jährlich', per_monthly: 'im Monat', per_yearly: 'im Jahr',
    yours: 'Dein Tarif', choose: '{{plan}} wählen', methods: 'Karten', noMethods: 'Keine Karte ist gespeichert. Die Bezahlseite speichert die, mit der du zahlst.', card: '{{brand}}, endet auf {{last4}}',
    expires: 'Gültig bis {{month}}/{{year}}', default: 'Standard', makeDefault: 'Als Standard', removeCard: 'Diese Karte entfernen?', methodRemoved: 'Karte entfernt', paid: 'Danke. Die Zahlung ist durch.',
    waiting: 'Der Zahlungsdienst bestätigt deinen Tarif; gleich steht er hier.',
  },
  limits: {
    users: 'Personen', apps: 'Apps', api_calls: 'API-Aufrufe', 'drive.storage_bytes': 'Speicher in Drive',
  },
  onboarding: {
    title: 'Aufnahme', text: 'Firmen, die herein möchten.', search: 'Nach Firma suchen', company: 'Firma', people_one: '{{size}} Person', people_other: '{{size}} Personen', applicant: 'Antrag von', asked: 'Gefragt',
    none: 'Niemand wartet', noneText: 'Anträge aus dem öffentlichen Formular erscheinen hier.', approve: 'Annehmen', reject: 'Ablehnen', approveAsk: '{{name}} annehmen?',
    approveText: 'Organisation, Verwaltung, Tarif und Apps entstehen auf einmal. Eine Einladung geht an {{email}}.', planHint: 'Ohne Zahlung; sonst beginnt der Tarif, nach dem gefragt wurde.',
    approved: '{{name}} ist dabei. Eine Einladung ist unterwegs an {{email}}.', rejectAsk: '{{name}} ablehnen?', reason: 'Grund, bleibt beim Antrag', rejected: '{{name}} wurde abgelehnt.',
  },
  stats: {
    title: 'Statistik', of_platform: 'Die ganze Plattform um {{at}}.', of_organization: 'Deine Organisation um {{at}}.', new30_one: '{{count}} in den letzten 30 Tagen', new30_other: '{{count}} in den letzten 30 Tagen',
    unwell_one: '{{count}} geht es nicht gut', unwell_other: '{{count}} geht es nicht gut', allWell: 'Allen geht es gut', suspended: 'Gesperrt', people: 'Personen', signIns: 'Anmeldungen',
    last30_one: '{{count}} in den letzten 30 Tagen', last30_other: '{{count}} in den letzten 30 Tagen', signInsLabel_one: '{{count}} Anmeldung in den letzten 30 Tagen, nach Tagen',
    signInsLabel_other: '{{count}} Anmeldungen in den letzten 30 Tagen, nach Tagen', succeeded: 'Gelungen', refused: 'Abgewiesen', revenue: 'Einnahmen nach Tarif', paying: 'Zahlend', monthly: 'Im Monat',
    pressure: 'Nahe an einer Grenze', noPressure: 'Niemand hat mehr als 80 % einer Grenze verbraucht.',
  },
};
