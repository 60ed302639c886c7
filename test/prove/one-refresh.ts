import { setTimeout as sleep } from 'node:timers/promises'
import { withFleet } from './support/fleet.ts'
import { proof } from './support/proof.ts'

/** However many find that a token is at its end, one fetches the next; a refresh token works once only. */
export const oneRefresh = proof({
  name: 'one-refresh',
  asked:
    '50 openers in 5 processes × 100 integrations with one-time refresh tokens at expiry: exactly one refresh each, every call answered',
  full: { integrations: 100, processes: 5, openers: 50, lifeSeconds: 90 },
  quick: { integrations: 3, processes: 2, openers: 8, lifeSeconds: 8 },
  async run({ integrations, processes, openers, lifeSeconds }, lab) {
    return await withFleet(await lab.database('migrated'), async (fleet) => {
      const [shop, merchant] = await Promise.all([
        fleet.startShop({ platform: 'shopify', orders: 5, tokenSeconds: lifeSeconds }),
        fleet.makeMerchant(),
      ])
      const apis = [fleet.api]
      while (apis.length < processes) apis.push(await fleet.startApi())
      const ids: number[] = []
      while (ids.length < integrations) {
        ids.push(await merchant.installByBrowser(shop))
        lab.progress('installed', ids.length, integrations)
      }
      const endsAt = Date.now() + lifeSeconds * 1000
      const installed = (await shop.ledger()).at(-1)?.seq ?? 0
      await sleep(endsAt - Date.now())

      const statuses = new Map<number, number>()
      for (const [done, id] of ids.entries()) {
        const open = async (_: unknown, n: number) => {
          const body = { resource: 'get_orders', limit: 1 }
          const { status } = await merchant.call('POST', `/integrations/${id}/action`, body, apis[n % apis.length])
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
        await Promise.all(Array.from({ length: openers }, open))
        lab.progress('opened', done + 1, integrations)
      }
      const ledger = (await shop.ledger(installed)).filter(({ kind }) => kind !== 'webhook')
      const refreshes = ledger.filter(({ kind, operation }) => kind === 'effect' && operation === 'token.refresh')
      const refused = ledger.filter(
        ({ kind, path, status }) => kind === 'request' && path?.startsWith('/admin/oauth/') && status !== 200,
      )
      const doubles = await shop.get<unknown[]>('/_ledger/doubles')
      const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
      return {
        measured: `${refreshes.length} refreshes for ${integrations} integrations, ${refused.length} refused, ${doubles.length} doubled; ${counts}`,
        pass:
          refreshes.length === integrations &&
          new Set(refreshes.map(({ key }) => key)).size === integrations &&
          refused.length + doubles.length === 0 &&
          statuses.get(200) === integrations * openers,
      }
    })
  },
})
