import type { en } from './en.js';

/** German. */
export const de: typeof en = {
  brand: 'Satellite Platform',
  skip: 'Zum Inhalt springen',
  auth: {
    signIn: 'Anmelden', signInTitle: 'Willkommen zurück', signInText: 'Melde dich an, um deine Apps zu öffnen.', user: 'E-Mail oder Benutzername', password: 'Passwort', forgot: 'Passwort vergessen?', noAccount: 'Neu hier?', register: 'Konto anlegen',
    with: 'Weiter mit {{provider}}', or: 'oder', registerTitle: 'Konto anlegen', registerText: 'Deine Organisation entsteht dabei; du verwaltest sie.', firstName: 'Vorname', lastName: 'Nachname', email: 'E-Mail', username: 'Benutzername',
    usernameHint: 'Buchstaben, Ziffern, Punkt, Bindestrich und Unterstrich', passwordHint: 'Mindestens 8 Zeichen', plan: 'Tarif', haveAccount: 'Du hast schon ein Konto?', create: 'Konto anlegen', perMonth: '{{price}} im Monat', free: 'Kostenlos', trial: '14 Tage frei',
    resetTitle: 'Passwort zurücksetzen', resetText: 'Wir schicken dir einen Link, mit dem du ein neues wählst.', sendLink: 'Link schicken', linkSent: 'Sieh in dein Postfach', linkSentText: 'Wenn es ein Konto für {{email}} gibt, ist ein Link unterwegs. Er gilt eine Stunde.',
    newPassword: 'Neues Passwort', choosePassword: 'Neues Passwort wählen', inviteTitle: 'Willkommen', inviteText: 'Wähle ein Passwort, um dein Konto zu öffnen.', setPassword: 'Passwort setzen', passwordSet: 'Passwort gesetzt. Melde dich damit an.', backToSignIn: 'Zurück zur Anmeldung',
    badLink: 'Dieser Link ist nicht vollständig', badLinkText: 'Öffne den Link aus der Nachricht noch einmal oder fordere einen neuen an.', finishing: 'Du wirst angemeldet', required: 'Bitte ausfüllen', tooShort: 'Mindestens 8 Zeichen', badEmail: 'Eine E-Mail-Adresse hat die Form name@example.org', signOut: 'Abmelden',
    failed: 'Du bist nicht angemeldet',
    failures: {
      other: 'Die Anmeldung wurde nicht rechtzeitig abgeschlossen oder in einem anderen Browser begonnen. Beginne noch einmal.', provider_refused: 'Der Anbieter hat dich nicht angemeldet. Beginne noch einmal oder nimm einen anderen Weg.', provider_unavailable: 'Der Anbieter antwortet nicht. Versuche es gleich noch einmal.',
      sign_in_refused: 'Dieses Konto kann sich nicht anmelden. Frage eine Administratorin.', email_not_verified: 'Der Anbieter hat deine E-Mail-Adresse nicht bestätigt. Bestätige sie dort und beginne noch einmal.', link_required: 'Ein Konto hat deine E-Mail-Adresse schon. Wähle über „Passwort vergessen?“ ein neues Passwort dafür, um zu zeigen, dass es deines ist, und beginne noch einmal.',
    },
  },
  nav: { launchpad: 'Startseite', apps: 'Apps', administration: 'Verwaltung', menu: 'Navigation öffnen', user: 'Dein Konto', search: 'Suchen oder springen …', theme: 'Zum {{scheme}} Modus wechseln', dark: 'dunklen', light: 'hellen', platform: 'Plattform' },
  launchpad: { degraded: 'Eingeschränkt', degradedText: 'Diese App funktioniert zurzeit vielleicht nicht.', morning: 'Guten Morgen, {{name}}', afternoon: 'Guten Tag, {{name}}', evening: 'Guten Abend, {{name}}', hint: 'Wähle eine App oder drücke {{keys}}, um alles zu durchsuchen.', none: 'Noch keine Apps', noneText: 'Apps erscheinen hier, sobald sie registriert und für {{organization}} eingeschaltet sind.', noneAdmin: 'App-Verzeichnis öffnen' },
  remote: { failed: '{{name}} lässt sich nicht öffnen', failedText: 'Der Rest der Plattform ist nicht betroffen.', crashed: '{{name}} ist stehen geblieben', noPage: '{{name}} hat keine Seite', noPageText: 'Diese App wird nur über ihre API benutzt.', slow: '{{name}} antwortet nicht', unknown: 'Diese App gibt es nicht', unknownText: 'Vielleicht wurde sie entfernt oder ist für deine Organisation nicht eingeschaltet.', opening: '{{name}} wird geöffnet' },
  palette: { nothing: 'Nichts gefunden', pages: 'Seiten', apps: 'Apps', actions: 'Aktionen' },
  account: {
    title: 'Dein Konto', profile: 'Profil', security: 'Sicherheit', preferences: 'Einstellungen', sessions: 'Sitzungen', sessionsText: 'Wo du angemeldet bist. Beende, was du nicht kennst.', endSession: 'Sitzung beenden', endThis: 'Diese Sitzung beenden?', endThisText: 'Du wirst hier abgemeldet.', thisSession: 'Diese Sitzung', lastUsed: 'Zuletzt benutzt {{when}}', ended: 'Sitzung beendet',
    language: 'Sprache', theme: 'Darstellung', themeLight: 'Hell', themeDark: 'Dunkel', themeAuto: 'Wie das System', changePassword: 'Passwort ändern', currentPassword: 'Jetziges Passwort', passwordChanged: 'Passwort geändert. Melde dich mit dem neuen an.', changeText: 'Beendet alle Sitzungen, auch diese.', organization: 'Organisation', roles: 'Rollen', saved: 'Gespeichert',
  },
  notFound: { title: 'Hier ist nichts', text: 'Die Adresse ist vielleicht alt oder vertippt.', home: 'Zur Startseite', forbidden: 'Diese Seite darfst du nicht sehen', forbiddenText: 'Sie braucht die Berechtigung {{permission}}. Frage jemanden, der deine Organisation verwaltet.' },
};
