import { AppError } from '@satellite/kit/core';

/** `act` and `obj` do not name one permission. */
export class InvalidQuestion extends AppError {
  readonly kind = 'invalid';
  readonly code = 'gateway.invalid_question';
}

/** The caller may not know the answer. */
export class QuestionRefused extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'gateway.question_refused';
}

/** The caller may not exchange this kind of token. */
export class ExchangeRefused extends AppError {
  readonly kind = 'forbidden';
  readonly code = 'gateway.exchange_refused';
}

/** Not exactly one of the two tokens, or no service. */
export class InvalidExchange extends AppError {
  readonly kind = 'invalid';
  readonly code = 'gateway.invalid_exchange';
}

export class ClientNotFound extends AppError {
  readonly kind = 'not_found';
  readonly code = 'gateway.client_not_found';
  constructor(clientId: string) {
    super('The app has no such active client.', { clientId });
  }
}

export class TooManyClients extends AppError {
  readonly kind = 'conflict';
  readonly code = 'gateway.too_many_clients';
  constructor(limit: number) {
    super(`The app has ${limit} clients. Revoke one that is not in use.`, { limit });
  }
}
