import { lazy, Suspense } from 'react';
import { MoveDialog } from './move.dialog.js';
import { NameDialog } from './name.dialog.js';
import { RemoveDialog } from './remove.dialog.js';
import { ShareDialog } from './share.dialog.js';
import type { DialogControl } from './use-dialog.js';

const PreviewDialog = lazy(() => import('./preview.dialog.js').then((module) => ({ default: module.PreviewDialog })));

/** The dialog that is open. @param onGone what was selected is not where it was */
export function Dialogs({ control: { dialog, open, close }, onGone }: { readonly control: DialogControl; readonly onGone: () => void }) {
  if (dialog === undefined) return null;
  switch (dialog.kind) {
    case 'new-folder': return <NameDialog place={dialog.place} onClose={close} />;
    case 'rename': return <NameDialog entry={dialog.entry} onClose={close} />;
    case 'move': return <MoveDialog entries={dialog.entries} onClose={close} onDone={onGone} />;
    case 'remove': return <RemoveDialog entries={dialog.entries} onClose={close} onDone={onGone} />;
    case 'share': return <ShareDialog file={dialog.file} onClose={close} />;
    case 'preview': return <Suspense><PreviewDialog file={dialog.file} onClose={close} onShare={() => open({ kind: 'share', file: dialog.file })} /></Suspense>;
  }
}
