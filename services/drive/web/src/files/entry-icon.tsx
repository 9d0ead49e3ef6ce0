import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs';
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs';
import IconFileTypePdf from '@tabler/icons-react/dist/esm/icons/IconFileTypePdf.mjs';
import IconFileZip from '@tabler/icons-react/dist/esm/icons/IconFileZip.mjs';
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs';
import IconMovie from '@tabler/icons-react/dist/esm/icons/IconMovie.mjs';
import IconMusic from '@tabler/icons-react/dist/esm/icons/IconMusic.mjs';
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs';
import type { Entry } from '../api/lists.js';

const KINDS: readonly (readonly [RegExp, typeof IconFile, string])[] = [
  [/^image\//, IconPhoto, 'grape'], [/^video\//, IconMovie, 'pink'], [/^audio\//, IconMusic, 'cyan'], [/^application\/pdf$/, IconFileTypePdf, 'red'],
  [/^text\/|json|yaml/, IconFileText, 'indigo'], [/zip|tar|compressed/, IconFileZip, 'orange'],
];

/** The name beside it says what it is; this only makes it faster to find. */
export function EntryIcon({ entry, size = 20 }: { readonly entry: Pick<Entry, 'kind' | 'contentType'>; readonly size?: number }) {
  if (entry.kind === 'folder') return <IconFolder size={size} stroke={1.7} color="var(--mantine-color-yellow-7)" aria-hidden />;
  const [, Icon, color] = KINDS.find(([pattern]) => pattern.test(entry.contentType)) ?? [undefined, IconFile, 'gray'];
  return <Icon size={size} stroke={1.7} color={`var(--mantine-color-${color}-6)`} aria-hidden />;
}
