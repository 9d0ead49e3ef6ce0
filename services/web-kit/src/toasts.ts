import { notifications } from '@mantine/notifications';
import { describeError } from './errors.js';
import i18next from 'i18next';

const label = (): string => i18next.t('close', { ns: 'kit' });

/** Says that something was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', withBorder: true, autoClose: 4000, closeButtonProps: { 'aria-label': label() } });
}

/** Says that something failed, and why; stays until it is read when there is a request id to report. */
export function notifyError(error: unknown, title?: string): void {
  const { message, requestId } = describeError(error);
  notifications.show({ title: title ?? i18next.t('wentWrong', { ns: 'kit' }), message: requestId === undefined ? message : `${message} (${i18next.t('requestId', { ns: 'kit', id: requestId.slice(0, 8) })})`, color: 'red', withBorder: true, autoClose: 10_000, closeButtonProps: { 'aria-label': label() } });
}
