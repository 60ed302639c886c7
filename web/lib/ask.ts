/** What the service answered when it did not do what it was asked. */
export class Refusal extends Error {
  readonly status: number
  /** By field, as forms show them. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** What message and errors follow from, where the service says so: for those who speak another language. */
  readonly reason: unknown
  readonly reasons: Readonly<Record<string, readonly unknown[]>>
  /** For whoever is asked for help. */
  readonly requestId: string | null
  readonly retryAfter: number | null
  /** Everything that was answered: some refusals say more than a message. */
  readonly body: unknown

  constructor(status: number, body: unknown, headers: Headers) {
    const { message, errors, reason, reasons } = Object(body) as Readonly<Record<string, unknown>>
    super(typeof message === 'string' && message !== '' ? message : `The service answered with status ${status}.`)
    this.status = status
    this.body = body
    this.errors = Object(errors) as Refusal['errors']
    this.reason = reason
    this.reasons = Object(reasons) as Refusal['reasons']
    this.requestId = headers.get('x-request-id')
    const seconds = Number(headers.get('retry-after'))
    this.retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds : null
  }
}

/** The service could not be reached at all. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The service cannot be reached. Check the connection and try again.', { cause })
  }
}

interface Outcome<Data> {
  data?: Data | undefined
  error?: unknown
  response: Response
}

/** The data of an answer; anything else is thrown as `Refusal` or `Unreachable`. */
export async function ask<Data>(request: Promise<Outcome<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    throw new Unreachable(cause)
  })
  if (!response.ok) throw new Refusal(response.status, error, response.headers)
  return data as Data
}
