/** Headers that go with every answer, and the rules of cross-origin use. */

const api = {
  'cache-control': 'no-cache, private',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Bearer tokens only and no cookies on the API: any origin may ask, and no credentials are ever allowed. */
const cors = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, Deprecation, Link, Idempotent-Replayed, ETag, WWW-Authenticate',
}

export const everyAnswer = { ...api, ...cors }
export const overTls = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

const preflight = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, X-Requested-With, Idempotency-Key, If-None-Match',
  'access-control-max-age': '600',
  vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
}

/** What the protocol of agents sends besides. */
const ofAgents = 'MCP-Protocol-Version, Mcp-Session-Id, Last-Event-ID'

export const preflightOf = (path: string): Record<string, string> =>
  path === '/mcp'
    ? { ...preflight, 'access-control-allow-headers': `${preflight['access-control-allow-headers']}, ${ofAgents}` }
    : preflight
