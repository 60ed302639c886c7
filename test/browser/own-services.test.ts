import { afterAll, beforeAll, expect, test } from 'vitest'
import { data, rows } from '../integrations/support.ts'
import { type OwnShop, ownOrders, ownService, startOwnShop } from '../support/own-shop.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { openConsole } from './support/console.ts'
import './support/patience.ts'
import { openStage, type Stage } from './support/stage.ts'

/** Services of one's own in the console: what was published, and what is entered in their shops. */

let stage: Stage
let browser: Browser
let shop: OwnShop
beforeAll(async () => {
  ;[stage, browser] = [await openStage(), await openBrowser({ width: 1440, height: 900 })]
  shop = await startOwnShop()
})
afterAll(async () => {
  await browser.close()
  await stage.close()
  await shop.close()
})

test('a version is compared with what is published, and published again', async () => {
  const { merchant } = stage
  const definition = ownService({ kind: 'none' })
  const body = { type: 'going-back', name: 'Going back', definition }
  const { id } = data(await merchant.asUser('POST', '/api/1.0/services', body))
  const orders = { ...ownOrders, fields: { ...ownOrders.fields, note: 'state' } }
  await merchant.asUser('PUT', `/api/1.0/services/${id}`, { definition: { ...definition, orders } })
  const { page } = await openConsole(browser, stage)
  await page.goto(`${stage.origin}/console/own-services/${id}`)
  await page.getByRole('button', { name: 'Compare version 1 with what is published' }).click()
  await page.getByText('orders.fields.note').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Publish version 1 again' }).click()
  const versions = async () => rows(await merchant.asUser('GET', `/services/${id}/versions`))
  await expect.poll(async () => (await versions())[0]).toMatchObject({ number: 3, present: true, restored_from: 1 })
  await expect.poll(() => page.getByLabel('Description as JSON').inputValue()).not.toContain('"note"')
  await page.getByText('as version 1').waitFor()
  await page.close()
})

test('the address for messages and its secret are shown to whoever enters them', async () => {
  const { merchant } = stage
  const definition = ownService(
    { kind: 'none' },
    {
      webhooks: {
        signature: { header: 'X-Signature' },
        ...{ topics: [{ theirs: '*', ours: 'order.updated' }], id: 'id' },
      },
    },
  )
  const service = data(await merchant.asUser('POST', '/api/1.0/services', { type: 'sends', name: 'Sends', definition }))
  await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service['id'] })
  const { id } = data(
    await merchant.asApp('POST', '/sends/install', {
      ...{ name: 'Sends', shop: 'sends.example', remote_id: merchant.remoteId, settings: { base_url: shop.url } },
    }),
  )
  const { page } = await openConsole(browser, stage)
  await page.goto(`${stage.origin}/console/apps/${merchant.appId}/integrations/${id}`)
  await page.getByRole('button', { name: 'Show what to enter in the shop' }).click()
  const { address, secret } = data(await merchant.asApp('PUT', `/integrations/${id}/message-address`, {}))
  await page.getByText(String(address)).waitFor()
  await page.getByText(String(secret)).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.close()
})
