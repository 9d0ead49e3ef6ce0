import { AppError } from '@satellite/kit/core';

/** Also for methods of other customers. */
export class PaymentMethodNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'subscriptions.payment_method_not_found';
  constructor() {
    super('There is no such payment method.');
  }
}

export class PaymentEventNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'subscriptions.payment_event_not_found';
  constructor() {
    super('There is no such payment event.');
  }
}

export class PaymentFailed extends AppError {
  readonly kind = 'unprocessable';
  readonly code = 'subscriptions.payment_failed';
  constructor(reason: string) {
    super(`The payment did not go through: ${reason}`);
  }
}

/** Whether the last step was done is not known; repeating it does it once. */
export class PaymentProcessorUnavailable extends AppError {
  readonly kind = 'unavailable';
  readonly code = 'subscriptions.payment_processor_unavailable';
  constructor(options?: ErrorOptions) {
    super('The payment processor does not answer. Repeat the request; nothing is charged twice.', {}, options);
  }
}

export class NoPaymentProcessor extends AppError {
  readonly kind = 'unavailable';
  readonly code = 'subscriptions.no_payment_processor';
  constructor() {
    super('This installation takes no payments. Ask the platform\'s administrators for another plan.');
  }
}

/** One answer for every way in which a signature can be wrong. */
export class InvalidSignature extends AppError {
  readonly kind = 'invalid';
  readonly code = 'subscriptions.invalid_signature';
  constructor() {
    super('The signature of the event is missing, wrong or too old.');
  }
}

export class NotForSale extends AppError {
  readonly kind = 'conflict';
  readonly code = 'subscriptions.not_for_sale';
  constructor(planCode: string) {
    super(`The plan "${planCode}" costs nothing for that interval; there is nothing to pay.`, { planCode });
  }
}

export class AlreadyOnPlan extends AppError {
  readonly kind = 'conflict';
  readonly code = 'subscriptions.already_on_plan';
  constructor(planCode: string) {
    super(`The organization has paid for "${planCode}" already.`, { planCode });
  }
}
