import { notifyError } from '@satellite/web-kit';
import { useState } from 'react';
import { client } from '../../api/shell-api.js';

/** Leads to the payment processor's own page for the organization, and back to here. */
export function usePortal(): { readonly busy: boolean; readonly open: () => void } {
  const [busy, setBusy] = useState(false);
  const go = async (): Promise<void> => {
    setBusy(true);
    try {
      const { data } = await client.GET('/subscriptions/portal', { params: { query: { returnUrl: location.href.split('?')[0] ?? '' } } });
      if (data) location.assign(data.data.portalUrl);
    } catch (error) {
      notifyError(error);
      setBusy(false);
    }
  };
  return { busy, open: () => void go() };
}
