/** Why a call failed. `instanceof` tells the kinds apart; whatever they are, they are this. */
export class EntrepotError extends Error {
  override readonly name: string = 'EntrepotError'
  /** 0 where there was no answer. */
  readonly status: number
  /** To name when you ask somebody; null where there was no answer. */
  readonly requestId: string | null
  /** What the answer said, parsed. */
  readonly body: unknown

  constructor(message: string, { status = 0, requestId = null, body = null, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.requestId = requestId
    this.body = body
  }
}

export interface ErrorDetails {
  status?: number
  requestId?: string | null
  body?: unknown
  cause?: unknown
}

/** No answer came: the network, the server or the time that you gave it. */
export class ConnectionError extends EntrepotError {
  override readonly name = 'ConnectionError'
}

/** 401: the token is missing or no longer good, or the client is not known. */
export class AuthenticationError extends EntrepotError {
  override readonly name = 'AuthenticationError'
}

/** 403: the token lacks a scope or right, or the record is somebody else's. */
export class PermissionError extends EntrepotError {
  override readonly name = 'PermissionError'
}

/** 404. Where an order was searched by its number, `reason` says why it is not there. */
export class NotFoundError extends EntrepotError {
  override readonly name = 'NotFoundError'
  get reason(): string | null {
    return textIn(this.body, 'reason')
  }
}

/** 409: a request with the same idempotency key is in progress, or was carried out and its answer is lost. */
export class ConflictError extends EntrepotError {
  override readonly name = 'ConflictError'
}

/** 422 (or 400): fields are missing or wrong, or the shop refuses what was asked of it. */
export class ValidationError extends EntrepotError {
  override readonly name: string = 'ValidationError'
  /** What is wrong, by field. */
  get errors(): Readonly<Record<string, readonly string[]>> {
    const { errors } = (this.body ?? {}) as { errors?: Record<string, string[]> }
    return errors ?? {}
  }
}

/** 422: the shop understood the request and refused it. */
export class ShopRefusedError extends ValidationError {
  override readonly name = 'ShopRefusedError'
}

/** 429, after the retries. */
export class RateLimitError extends EntrepotError {
  override readonly name = 'RateLimitError'
  readonly retryAfterSeconds: number | null

  constructor(message: string, details: ErrorDetails & { retryAfterSeconds: number | null }) {
    super(message, details)
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** 5xx, after the retries: the service, or the shop behind it, cannot answer now. */
export class UnavailableError extends EntrepotError {
  override readonly name = 'UnavailableError'
}

export function errorFor(response: Response, body: unknown): EntrepotError {
  const { status, headers } = response
  const message = textIn(body, 'message') ?? textIn(body, 'error_description') ?? `The answer was ${status}.`
  const details = { status, requestId: headers.get('x-request-id'), body }
  switch (status) {
    case 401:
      return new AuthenticationError(message, details)
    case 403:
      return new PermissionError(message, details)
    case 404:
      return new NotFoundError(message, details)
    case 409:
      return new ConflictError(message, details)
    case 400:
    case 422:
      return isShopsRefusal(body) ? new ShopRefusedError(message, details) : new ValidationError(message, details)
    case 429:
      return new RateLimitError(message, { ...details, retryAfterSeconds: retryAfter(response) })
    default:
      return status >= 500 ? new UnavailableError(message, details) : new EntrepotError(message, details)
  }
}

/** In seconds; null where it says nothing that can be read. */
export function retryAfter({ headers }: Response): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  if (/^\d+$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1000)
}

function isShopsRefusal(body: unknown): boolean {
  const { errors } = (body ?? {}) as { errors?: Record<string, unknown> }
  return errors !== undefined && Object.keys(errors).join() === 'shop'
}

function textIn(body: unknown, name: string): string | null {
  const value = ((body ?? {}) as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : null
}
