import { createHmac, hash } from 'node:crypto'

/** Signature Version 4 of Amazon's cloud. Pure: the time comes from the call. */
export interface AwsRequest {
  method: 'GET' | 'POST'
  /** Without a query. */
  url: string
  body: string
  /** Names in lower case; all of them are signed. */
  headers: Readonly<Record<string, string>>
  region: string
  service: string
  keys: { id: string; secret: string }
  seconds: number
}

/** The headers with date and signature among them. */
export function signedHeaders(request: AwsRequest): Record<string, string> {
  const { method, url, body, region, service, keys, seconds } = request
  const { host, pathname } = new URL(url)
  const at = new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = at.slice(0, 8)
  const headers = { ...request.headers, 'x-amz-date': at }
  const named = Object.entries({ ...headers, host }).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = named.map(([name]) => name).join(';')
  const lines = named.map(([name, value]) => `${name}:${value.trim()}\n`).join('')
  const canonical = [method, pathname, '', lines, names, hash('sha256', body)].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', at, scope, hash('sha256', canonical)].join('\n')
  const key = [day, region, service, 'aws4_request'].reduce(
    (secret: string | Buffer, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${keys.secret}`,
  )
  const signature = createHmac('sha256', key).update(text).digest('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${keys.id}/${scope}, SignedHeaders=${names}, Signature=${signature}`
  return { ...headers, authorization }
}
