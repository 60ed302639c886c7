interface Call {
  method: string
  path: string
  query: string
  request_body?: unknown
  headers: { content_type: string | null; idempotency_key: boolean }
}

/** The call as a line for a shell. The token is not known here: it is taken from the environment. */
export function asCurl(call: Call, origin: string): string {
  const address = `${origin}${call.path}${call.query === '' ? '' : `?${call.query}`}`
  const parts = [
    `curl ${/[[\]{}]/.test(address) ? '-g ' : ''}${call.method === 'GET' ? '' : `-X ${call.method} `}${quoted(address)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    `-H 'Accept: application/json'`,
    ...(call.headers.idempotency_key ? [`-H "Idempotency-Key: $(uuidgen)"`] : []),
    ...(call.request_body === null || call.request_body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `--data ${quoted(JSON.stringify(call.request_body))}`]),
  ]
  return parts.join(' \\\n  ')
}

/** In single quotes nothing means anything to a shell but the quote itself; brackets mean something to curl, unless `-g` says otherwise. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
