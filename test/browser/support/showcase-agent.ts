import { createHash } from 'node:crypto'

type Ask = <Data>(method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Data>

const verifier = 'showcase-'.repeat(6)

/** An agent that was let in and wants an order refunded; and what another one would ask a person with. */
export async function anAgent(
  ask: Ask,
  { origin, app, order, integration }: { origin: string; app: number; order: number; integration: number },
): Promise<URLSearchParams> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const sent = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }
    const answer = await fetch(origin + path, { method: 'POST', headers: sent, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Record<string, string>
  }
  const redirect = 'http://127.0.0.1:33418/callback'
  const { client_id: client = '' } = await post('/oauth/register', {
    client_name: 'Support desk agent',
    redirect_uris: [redirect],
  })
  const resource = `${origin}/mcp`
  const request = {
    ...{ response_type: 'code', client_id: client, redirect_uri: redirect, resource, state: 'showcase' },
    ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
  }
  const tools = [
    'list_shops',
    'shop_health',
    'find_order',
    'get_order',
    'order_passport',
    'refund_order',
    'fetch_again',
  ]
  const bounds = { shops: null, tools, customer_data: false, calls_per_hour: 300, writes_per_day: 20 }
  const { redirect_to: to } = await ask<{ redirect_to: string }>('POST', `/api/2.0/user/apps/${app}/agents`, {
    ...request,
    ...bounds,
  })
  const { access_token: token } = await post('/oauth/token', {
    ...{ grant_type: 'authorization_code', client_id: client, resource, code_verifier: verifier },
    code: new URL(to).searchParams.get('code'),
  })
  const call = (name: string, args: object) =>
    post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      { authorization: `Bearer ${token}` },
    )
  await call('refund_order', { shop_id: integration, order_id: order, amount: '12.50', reason: 'Arrived damaged' })
  await call('fetch_again', { shop_id: integration, what: 'orders' })
  return new URLSearchParams(request)
}
