/** One call of the API, as it is kept for those who make it. */
export interface ApiRequest {
  app_id: number
  at: string
  /** `X-Request-Id` of the answer. */
  id: string
  source: RequestSource
  caller: RequestCaller
  client_id: number | null
  account_id: number | null
  user_id: number | null
  integration_id: number | null
  method: string
  /** With the names of its parameters: `/api/2.0/app/orders/{order}`. */
  route: string
  path: string
  query: string
  status: number
  ms: number
  address: string
  request_bytes: number
  response_bytes: number
  detail: RequestDetail
}

/** What only somebody wants who looks at one of them. */
export interface RequestDetail {
  agent: string | null
  content_type: string | null
  has_idempotency_key: boolean
  /** By the schemas' own marks (`lib/validation/redact.ts`); missing where there was none, or none that a schema describes. */
  request?: unknown
  response?: unknown
  error?: RequestError
  rate?: { limit: number; remaining: number }
}

export interface RequestError {
  kind: string
  fields?: Record<string, string[]>
}

/** Whether a program called, or somebody by the pages of the console. */
export const requestSources = ['api', 'console'] as const
export type RequestSource = (typeof requestSources)[number]

export const requestCallers = ['client', 'account', 'user'] as const
export type RequestCaller = (typeof requestCallers)[number]

export const statusClasses = ['2xx', '3xx', '4xx', '5xx', 'failed'] as const
export type StatusClass = (typeof statusClasses)[number]

/** What happened in one minute for one client of an app, or for all of its accounts or users together (client 0). */
export interface RequestMinute {
  app_id: number
  /** Its beginning. */
  minute: string
  caller: RequestCaller
  client_id: number
  calls: number
  failed: number
  limited: number
  left_out: number
  most: number
  allowed: number
}

/** For how many days calls are kept where nothing is set. */
export const defaultRequestDays = 3
