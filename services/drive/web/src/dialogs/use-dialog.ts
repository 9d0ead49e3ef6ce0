import { useEffect, useRef, useState } from 'react';
import type { Entry } from '../api/lists.js';

/** A dialog, and what it is about. */
export type Dialog =
  | { readonly kind: 'new-folder'; readonly place: string | null }
  | { readonly kind: 'rename'; readonly entry: Entry }
  | { readonly kind: 'move' | 'remove'; readonly entries: readonly Entry[] }
  | { readonly kind: 'share' | 'preview'; readonly file: Entry };

export interface DialogControl {
  readonly dialog: Dialog | undefined;
  readonly open: (dialog: Dialog) => void;
  readonly close: () => void;
}

/** Which dialog is open. The focus goes back to what opened it, or, when that is gone, to the content. */
export function useDialog(): DialogControl {
  const [dialog, setDialog] = useState<Dialog>();
  const opener = useRef<Element | null>(null);
  const open = (next: Dialog): void => {
    if (dialog === undefined) opener.current = openerOf(document.activeElement);
    setDialog(next);
  };
  const close = (): void => setDialog(undefined);
  // not before the dialog is gone: it holds the focus
  useEffect(() => {
    if (dialog !== undefined || opener.current === null) return;
    focus(opener.current.isConnected ? opener.current : document.querySelector('main'));
    opener.current = null;
  }, [dialog]);
  return { dialog, open, close };
}

/** An item of a menu is gone by then; the button that opened the menu is not. */
function openerOf(active: Element | null): Element | null {
  const menu = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return menu == null ? active : document.getElementById(menu);
}

function focus(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}
