/** What a step throws to say why it stopped; the type decides what the queue does next. */
abstract class ReconcileInterruption extends Error {
  /**
   * @param reason CamelCase cause; becomes the reason of the condition
   * @param message sentence for people that says what to change
   */
  constructor(
    readonly reason: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Trying again cannot help: a person has to change something. Not retried before the object changes or its interval is over. */
export class Stalled extends ReconcileInterruption {}

/** Something outside is not there yet; tried again with growing delay, or after `afterMs`. */
export class Waiting extends ReconcileInterruption {
  constructor(
    reason: string,
    message: string,
    /** Urgent: something is due after `afterMs`, so it must not wait behind periodic looks at others. */
    readonly retry: { readonly afterMs?: number; readonly maxDelayMs?: number; readonly urgent?: boolean } = {},
    options?: ErrorOptions,
  ) {
    super(reason, message, options);
  }
}

/** Why work was cut off: the process ends, and whoever leads next does it again. Nothing is wrong with the object. */
export class OperatorStops extends Error {
  constructor() {
    super('the operator stops');
    this.name = new.target.name;
  }
}

/** A mistake in our own code, in contrast to trouble outside; counted as a panic. */
export function isPanic(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
}
