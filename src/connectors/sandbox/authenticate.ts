import type { RemoteRequest } from '../../commerce/remote.ts'
import type { Credentials } from './settings.ts'

const basic = (name = '', secret = '') => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`

/** Each dialect has paths of its own, and each its own way of saying who asks. */
export function authenticate(request: RemoteRequest, credentials: Credentials): RemoteRequest {
  const headers = headersFor(request.path, credentials)
  return { ...request, headers: { ...request.headers, ...headers } }
}

function headersFor(path: string, credentials: Credentials): Record<string, string> {
  if (path.startsWith('/admin/oauth/') || path.startsWith('/_')) return {}
  if (path.startsWith('/admin/')) return { 'x-shopify-access-token': credentials.access_token ?? '' }
  if (path.startsWith('/wp-json/')) {
    return { authorization: basic(credentials.consumer_key, credentials.consumer_secret) }
  }
  if (path === '/v1/token') return { authorization: basic(credentials.client_id, credentials.client_secret) }
  if (path.startsWith('/v1/')) return { authorization: `Bearer ${credentials.access_token ?? ''}` }
  return { 'x-api-key': credentials.api_key ?? '' }
}
