import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { data, freshShop, rows } from '../integrations/support.ts'
import { installOn } from '../support/simulated.ts'
import { until } from '../support/until.ts'
import { byKeyboard, byTouch, type Person } from './support/actions.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { signIn } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'
import { watchPage } from './support/watch.ts'

/** What people come to the console for, from its first page on: by keyboard alone, and by touch on a phone. Every action counts. */

const maxActions = 5

let stage: Stage
const browsers: Browser[] = []
const people: Record<Manner, { page: Page; problems: string[] } | null> = { keyboard: null, touch: null }
let shop: number
let webhook: number
let parts: Order[]
let others: Order[]

type Manner = 'keyboard' | 'touch'
interface Order {
  id: number
  number: string
}

const counted: { task: string; manner: Manner; actions: number }[] = []

beforeAll(async () => {
  stage = await openStage()
  const { merchant } = stage
  const opened = await stage.simulated.open({ platform: 'shopify', orders: 480 })
  shop = Number(data(await installOn(merchant, opened))['id'])
  const list = (page: number) =>
    merchant.asApp('GET', `/orders?integration_id=${shop}&per_page=100&page=${page}&acknowledged=all`)
  await until(async () => rows(await list(5)).length === 80)
  const pages = await Promise.all([1, 2, 3, 4, 5].map(list))
  const paid = pages.flatMap(rows).filter((one) => one['status'] === 'PENDING' && one['payment_status'] === 'paid')
  const linesOf = (one: Record<string, unknown>) => one['items'] as { quantity: number }[]
  const asOrder = (one: Record<string, unknown>): Order => ({ id: Number(one['id']), number: String(one['number']) })
  const inParts = paid.filter((one) => linesOf(one).length === 1 && Number(linesOf(one)[0]?.quantity) > 1)
  parts = inParts.map(asOrder)
  others = paid.filter((one) => !inParts.includes(one)).map(asOrder)
  if (parts.length < 3 || others.length < 2) throw new Error('The shop has too few orders for all tasks.')
  // The shop has sent something before: who carried that is offered.
  const sent = paid.find((one) => Number(one['id']) === parts[2]?.id)
  await merchant.asApp('POST', `/integrations/${shop}/action`, {
    ...{ resource: 'create_shipment', order_remote_id: sent?.['remote_id'], tracking_number: 'E1', carrier: 'DHL' },
  })
  const { url } = data(await merchant.asUser('POST', `/apps/${merchant.appId}/webhooks/catcher`)) as { url: string }
  const made = await merchant.asUser('POST', `/apps/${merchant.appId}/webhooks`, { url, events: ['order.created'] })
  webhook = Number(data(made)['id'])
  for (const manner of ['keyboard', 'touch'] as const) {
    const browser = await openBrowser(manner === 'touch' ? { width: 390, height: 844, touch: true } : {})
    browsers.push(browser)
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await browser.context.newPage()
    await signIn(page, stage.origin, merchant.email)
    people[manner] = { page, ...watchPage(page, [stage.origin]) }
  }
})
afterAll(async () => {
  for (const browser of browsers) await browser.close()
  await stage.close()
  const lines = [...Map.groupBy(counted, ({ task }) => task)].map(([task, done]) => {
    const of = (manner: Manner) => done.find((one) => one.manner === manner)?.actions ?? '–'
    return `| ${task} | ${of('keyboard')} | ${of('touch')} |`
  })
  process.stdout.write(`\n| Task | by keyboard | by touch at 390 px |\n|---|---|---|\n${lines.join('\n')}\n`)
})

const failed = async () => {
  const { db } = stage.server.context
  const { rows: found } = await sql<{ n: number }>`select count(*)::int as n from shop_messages
    where integration_id = ${shop} and error = 'Nobody understood it.'`.execute(db)
  return found[0]?.n
}

interface Task {
  name: string
  prepare?: (manner: Manner) => Promise<void>
  perform: (person: Person, manner: Manner) => Promise<void>
}

const nth = (manner: Manner) => (manner === 'keyboard' ? 0 : 1)

const tasks: readonly Task[] = [
  {
    name: 'connect a shop',
    async perform(person) {
      const { page } = person
      const address = freshShop()
      await person.find('connect sandbox')
      await person.take('Connect a shop on Sandbox')
      await person.type(page.getByLabel('Address of the shop'), address)
      await person.type(page.getByLabel('API key'), 'good', 'Tab')
      await person.confirm(page.getByRole('button', { name: 'Connect', exact: true }))
      const shops = async () => rows(await stage.merchant.asApp('GET', `/integrations?filter[shop]=${address}`))
      await expect.poll(async () => (await shops()).map(({ status }) => status)).toEqual(['ACTIVE'])
    },
  },
  {
    name: 'find a missing order',
    async perform(person) {
      await person.find('90909090')
      await person.take('Why is order 90909090 not here?')
      await person.page.getByRole('heading', { name: 'There is no order 90909090' }).waitFor()
      await person.page.getByText('None of the').first().waitFor()
    },
  },
  {
    name: 'ship an order in part',
    async perform(person, manner) {
      const order = parts[nth(manner)]
      const { page } = person
      await person.find(`ship ${order?.number}`)
      await person.take(`Ship order ${order?.number}`)
      await person.type(page.getByRole('spinbutton'), '1')
      await person.type(page.getByLabel('Tracking number', { exact: true }), `T-${order?.id}`, 'Tab')
      await person.confirm(page.getByRole('button', { name: 'Tell the shop' }))
      await page.getByText('The shop has the parcel.').waitFor()
      const parcel = page.getByRole('table', { name: 'Parcels' })
      await parcel.getByText(`T-${order?.id}`).waitFor()
      // Something is left to be sent.
      await page.getByRole('button', { name: 'Ship', exact: true }).waitFor()
    },
  },
  {
    name: 'refund an order',
    async perform(person, manner) {
      const order = others[nth(manner)]
      const { page } = person
      await person.find(`refund ${order?.number}`)
      await person.take(`Refund order ${order?.number}`)
      await person.type(page.getByLabel(/^Amount in/), '1.00')
      await person.confirm(page.getByRole('button', { name: 'Refund in the shop' }))
      await page.getByText('The shop has refunded it.').waitFor()
      await page.getByRole('table', { name: 'Refunds' }).waitFor()
    },
  },
  {
    name: 'retry ten messages',
    async prepare(manner) {
      const { db } = stage.server.context
      await sql`insert into shop_messages (integration_id, delivery_id, topic, body, outcome, error, processed_at)
        select ${shop}, ${manner} || n, 'orders/updated', '{}', 'failed', 'Nobody understood it.', now()
        from generate_series(1, 10) n`.execute(db)
      expect(await failed()).toBe(10)
    },
    async perform(person) {
      const { page } = person
      await person.find('retry')
      await person.take('Try failed messages again')
      await page.getByRole('heading', { name: /^Try \d+ failed messages again\?$/ }).waitFor()
      await person.confirm(page.locator('ep-dialog').getByRole('button', { name: 'Try again' }))
      await page.getByText(/messages are processed again\./).waitFor()
      await expect.poll(failed).toBe(0)
    },
  },
  {
    name: 'rotate a secret',
    async perform(person) {
      const { page } = person
      const { db } = stage.server.context
      const sealed = async () =>
        (await db.selectFrom('webhook_subscriptions').selectAll().where('id', '=', webhook).executeTakeFirstOrThrow())
          .updated_at
      const before = await sealed()
      await person.find('new secret')
      await person.take(/^New secret for/)
      await person.confirm(page.getByRole('button', { name: 'Create a new secret' }))
      await page.getByRole('heading', { name: 'The new secret' }).waitFor()
      await page.getByText(/^whsec_/).waitFor()
      await person.confirm(page.getByRole('button', { name: 'Copy and close' }))
      await page.getByText(/^whsec_/).waitFor({ state: 'hidden' })
      expect(await sealed()).not.toEqual(before)
    },
  },
  {
    name: 'invite a colleague',
    async perform(person, manner) {
      const { page } = person
      await person.find('invite')
      await person.take('Invite somebody')
      await person.type(page.getByLabel('Email'), `${manner}@example.com`)
      await person.confirm(page.getByRole('button', { name: 'Create link' }))
      await page.getByText('/console/invitation#').waitFor()
      await person.confirm(page.getByRole('button', { name: 'Copy and close' }))
      await page.getByText('It is in the clipboard.').waitFor()
      const invited = rows(await stage.merchant.asUser('GET', '/invitations'))
      expect(invited.map(({ email }) => email)).toContain(`${manner}@example.com`)
    },
  },
]

describe.each(['keyboard', 'touch'] as const)('by %s', (manner) => {
  test.each(tasks)(`$name in at most ${maxActions} actions`, async ({ name, prepare, perform }) => {
    const somebody = people[manner]
    if (!somebody) throw new Error('Nobody is signed in.')
    const { page } = somebody
    await prepare?.(manner)
    await page.goto(`${stage.origin}/console`)
    await page.getByRole('heading', { name: 'Overview' }).or(page.locator('main h1')).first().waitFor()
    const person = manner === 'keyboard' ? byKeyboard(page) : byTouch(page)
    await perform(person, manner)
    counted.push({ task: name, manner, actions: person.actions() })
    expect(person.actions()).toBeLessThanOrEqual(maxActions)
    expect(somebody.problems).toEqual([])
  })
})
