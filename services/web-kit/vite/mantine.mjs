/** The part of Mantine that the Shell gives to remotes. */
export const MANTINE = '@satellite/web-kit/mantine';

/** They keep what is on the screen in modules of their own: a second copy would show nothing. */
const INSTEAD = {
  '@mantine/notifications': 'notifyDone and notifyError of @satellite/web-kit',
  '@mantine/modals': 'confirm of @satellite/web-kit, or Modal of @mantine/core',
  '@mantine/spotlight': "the app's navigation, whose entries are in the Shell's palette",
};

/** In a remote, Mantine is the Shell's: its context, styles and theme are. Extension packages get the same. */
export const mantineOfShell = () => ({
  name: 'platform:mantine-of-shell',
  enforce: 'pre',
  resolveId: {
    order: 'pre',
    handler(source, importer) {
      const instead = INSTEAD[source];
      if (instead !== undefined) this.error(`A remote cannot use ${source} (${importer}): take ${instead}.`);
      return source === '@mantine/core' ? this.resolve(MANTINE, importer) : null;
    },
  },
});
