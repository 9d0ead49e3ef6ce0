import { useForm, type UseFormInput, type UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { ApiError } from './errors.js';

export interface ServerForm<T extends object> {
  readonly form: UseFormReturnType<T>;
  readonly busy: boolean;
  /** What went wrong and belongs to no field. */
  readonly problem: unknown;
  /** For `<form onSubmit>`. */
  readonly onSubmit: (event?: React.FormEvent<HTMLFormElement>) => void;
}

/**
 * A form whose server errors appear at their fields; what belongs to no field is in `problem`. While a submit runs a
 * second one is not sent.
 * @param fieldOf names a field for a reason of the server, such as `users.email_in_use`
 */
export function useServerForm<T extends object>(input: UseFormInput<T> & { readonly submit: (values: T) => Promise<unknown>; readonly fieldOf?: (reason: string) => (keyof T & string) | undefined }): ServerForm<T> {
  const { submit, fieldOf, ...rest } = input;
  const form = useForm<T>({ mode: 'controlled', ...rest });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const send = async (values: T): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await submit(values);
    } catch (error) {
      setProblem(place(error, form, fieldOf));
    } finally {
      setBusy(false);
    }
  };
  return { form, busy, problem, onSubmit: form.onSubmit((values) => void send(values)) };
}

/** Puts what the server says at its fields; answers with what has none. */
function place<T extends object>(error: unknown, form: UseFormReturnType<T>, fieldOf: ((reason: string) => (keyof T & string) | undefined) | undefined): unknown {
  if (!(error instanceof ApiError)) return error;
  const known = Object.entries(error.fields).filter(([field]) => field in form.getValues());
  const named = error.reason === undefined ? undefined : fieldOf?.(error.reason);
  if (named !== undefined) known.push([named, error.message]);
  for (const [field, message] of known) form.setFieldError(field, message);
  return known.length > 0 ? undefined : error;
}
