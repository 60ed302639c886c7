import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../src/domain/rights.ts'
import { makeColleague } from './support/colleague.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { makeWorld, type World } from './support/world.ts'

/** What a colleague of the same company gets to, with nothing and with each role: the way in that a review once found. */

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer()
  world = await makeWorld(server)
})
afterAll(() => server.close())

const colleague = async (role?: Role) => (await makeColleague(server.context, world.tenant, role ? { role } : {})).token

/** From a new gateway key to the end of the app, in the order in which each opens the way to the next. */
const chain = () => {
  const { appId } = world.tenant
  const { integration, order } = world.ids
  const app = `/api/2.0/user/apps/${appId}`
  return [
    ['POST', `${app}/integrations/${integration}/gateway-key`, {}],
    ['GET', '/api/1.0/orders?acknowledged=all', undefined],
    ['GET', `${app}/integrations`, undefined],
    ['GET', '/api/1.0/accounts', undefined],
    ['POST', '/api/1.0/services-request', { method: 'GET', endpoint: '/orders' }],
    ['PUT', `/api/1.0/orders/${order}/cancel`, {}],
    ['POST', `${app}/webhooks`, { url: 'https://hooks.example.com/x', events: ['*'] }],
    ['POST', `${app}/webhooks/catcher`, {}],
    ['POST', `${app}/flows`, { name: 'Mine', type: 'manual', steps: [{ action: 'sync_orders' }] }],
    ['GET', '/api/2.0/user/v1-usage', undefined],
    ['PUT', app, { return_urls: ['https://elsewhere.example.com/'] }],
    ['PUT', `/api/1.0/companies/${world.tenant.companyId}`, { phone: '1' }],
    ['DELETE', app, undefined],
  ] as const
}

async function walk(token: string): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  let key = world.gatewayKey
  for (const [method, path, body] of chain()) {
    const answer = await server.call(method, path, {
      token,
      headers: { 'x-gateway-key': key },
      ...(body && { body }),
    })
    statuses[`${method} ${path}`] = answer.status
    key = (answer.json['data'] as { gateway_key?: string } | undefined)?.gateway_key ?? key
  }
  return statuses
}

const refused = (statuses: Record<string, number>) => Object.keys(statuses).filter((step) => statuses[step] === 403)

describe('a colleague', () => {
  test('without any permission gets to nothing of shops, customers and keys', async () => {
    const statuses = await walk(await colleague())
    expect(refused(statuses)).toEqual(Object.keys(statuses))
  })

  test('who pays the bills sees what is used, keeps the company’s address, and nothing else', async () => {
    const statuses = await walk(await colleague('billing'))
    const open = Object.keys(statuses).filter((step) => statuses[step] === 200)
    expect(open).toEqual(['GET /api/2.0/user/v1-usage', `PUT /api/1.0/companies/${world.tenant.companyId}`])
    expect(refused(statuses)).toHaveLength(Object.keys(statuses).length - 2)
  })

  test('in support reads and changes nothing', async () => {
    const statuses = await walk(await colleague('support'))
    const open = Object.keys(statuses).filter((step) => statuses[step] !== 403)
    expect(open.every((step) => step.startsWith('GET '))).toBe(true)
    expect(statuses['GET /api/1.0/orders?acknowledged=all']).toBe(200)
  })

  test('who operates drives shops, and lets nobody in and nothing out', async () => {
    const statuses = await walk(await colleague('operator'))
    const { appId } = world.tenant
    expect(statuses[`POST /api/2.0/user/apps/${appId}/flows`]).toBe(201)
    expect(statuses['POST /api/1.0/services-request']).toBe(403)
    expect(statuses[`POST /api/2.0/user/apps/${appId}/integrations/${world.ids.integration}/gateway-key`]).toBe(403)
    expect(statuses[`POST /api/2.0/user/apps/${appId}/webhooks`]).toBe(403)
    expect(statuses[`DELETE /api/2.0/user/apps/${appId}`]).toBe(403)
  })

  test('who administers does all of it but end the app, which the owner does', async () => {
    const admin = await walk(await colleague('admin'))
    expect(refused(admin)).toEqual([`DELETE /api/2.0/user/apps/${world.tenant.appId}`])
    const owner = await walk(await colleague('owner'))
    expect(refused(owner)).toEqual([])
    expect(owner[`DELETE /api/2.0/user/apps/${world.tenant.appId}`]).toBe(204)
  })
})
