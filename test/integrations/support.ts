import { nextNumber } from '../support/numbers.ts'
import { makeTenant, type TestAnswer, type TestServer, type TestTenant } from '../support/server.ts'

export interface Merchant extends TestTenant {
  asUser(method: string, path: string, body?: unknown): Promise<TestAnswer>
  asApp(method: string, path: string, body?: unknown): Promise<TestAnswer>
  asAccount(method: string, path: string, body?: unknown): Promise<TestAnswer>
  /** Has the app offer a service; its id. */
  offer(type: string): Promise<number>
}

/** A tenant whose app offers the sandbox service. */
export async function makeMerchant(server: TestServer): Promise<Merchant> {
  const tenant = await makeTenant(server.context)
  const as = (token: string, prefix: string) => (method: string, path: string, body?: unknown) =>
    server.call(method, path.startsWith('/api') ? path : prefix + path, {
      token,
      ...(body === undefined ? {} : { body }),
    })
  const asUser = as(tenant.userToken, '/api/2.0/user')
  const offered = new Map<string, number>()
  const merchant: Merchant = {
    ...tenant,
    asUser,
    async offer(type) {
      const known = offered.get(type)
      if (known !== undefined) return known
      const id = Number(data(await asUser('GET', `/api/1.0/services/${type}`))['id'])
      data(await asUser('POST', `/apps/${tenant.appId}/services`, { service_id: id }))
      offered.set(type, id)
      return id
    },
    asApp: as(tenant.appToken, '/api/2.0/app'),
    asAccount: as(tenant.accountToken, '/api/2.0/webcomponent'),
  }
  await merchant.offer('sandbox')
  return merchant
}

type Json = Record<string, unknown>

export const data = (answer: TestAnswer): Json => {
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer.json['data'] as Json
}
export const rows = (answer: TestAnswer): Json[] => data(answer) as unknown as Json[]
export const meta = (answer: TestAnswer): Json => answer.json['meta'] as Json
export const errors = (answer: TestAnswer): Json => answer.json['errors'] as Json

export const freshShop = () => `shop-${nextNumber('installed')}.example.com`

/** An ACTIVE integration of the merchant's own account. */
export async function installed(merchant: Merchant, settings: Json = { orders: 5 }): Promise<Json> {
  const shop = freshShop()
  return data(
    await merchant.asApp('POST', '/sandbox/install', {
      name: shop,
      shop,
      remote_id: merchant.remoteId,
      credentials: { api_key: 'good' },
      settings,
    }),
  )
}
