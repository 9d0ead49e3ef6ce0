import type { Texts } from './languages.js';

/** Words of the kit's own components. */
export const kitTexts: Texts = {
  en: {
    retry: 'Try again', cancel: 'Cancel', close: 'Close', save: 'Save', delete: 'Delete', search: 'Search', copy: 'Copy', copied: 'Copied', loading: 'Loading', actions: 'Actions',
    requestId: 'Request {{id}}', copyRequestId: 'Copy request id', wentWrong: 'Something went wrong', previous: 'Previous page', next: 'Next page', range: '{{from}}–{{to}} of {{total}}',
    selected: '{{count}} selected', sortBy: 'Sort by {{column}}', selectAll: 'Select all', selectRow: 'Select {{name}}', showPassword: 'Show password',
  },
  de: {
    retry: 'Erneut versuchen', cancel: 'Abbrechen', close: 'Schließen', save: 'Speichern', delete: 'Löschen', search: 'Suchen', copy: 'Kopieren', copied: 'Kopiert', loading: 'Wird geladen', actions: 'Aktionen',
    requestId: 'Anfrage {{id}}', copyRequestId: 'Anfragenummer kopieren', wentWrong: 'Etwas ist schiefgegangen', previous: 'Vorige Seite', next: 'Nächste Seite', range: '{{from}}–{{to}} von {{total}}',
    selected: '{{count}} ausgewählt', sortBy: 'Nach {{column}} sortieren', selectAll: 'Alle auswählen', selectRow: '{{name}} auswählen', showPassword: 'Passwort zeigen',
  },
};
