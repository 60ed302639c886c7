import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { catcherUrl, newCatcherToken } from '../../src/domain/webhooks/catcher.ts'
import { caughtRequests, keepCatcher } from '../../src/domain/webhooks/catcher-store.ts'
import { faultOf } from '../support/identity.ts'
import { orderInput } from '../support/orders.ts'
import { untilHolds } from '../support/until.ts'
import { openWebhookLab, type WebhookLab } from '../support/webhook-lab.ts'

let lab: WebhookLab

beforeEach(async () => {
  lab = await openWebhookLab()
})
afterEach(() => lab.close())

const until = (check: () => unknown) => untilHolds(check)
const order = () => createOrder(lab.context, lab.integration, orderInput())

describe('the catcher', () => {
  test('gets deliveries without any network, and keeps the last fifty', async () => {
    const { context, appId } = lab
    const { token } = await keepCatcher(context.db, { appId }, newCatcherToken())
    const { secret } = await lab.subscribe(catcherUrl(context, token))
    await lab.startSender({
      send: async () => {
        throw new Error('Nothing is to be sent.')
      },
    })
    for (let n = 0; n < 60; n++) await order()
    await until(async () => expect((await lab.deliveries()).every(({ state }) => state === 'delivered')).toBe(true))
    const caught = await caughtRequests(context.db, { appId })
    expect(caught).toHaveLength(50)
    const [latest] = caught
    expect(new Webhook(secret).verify(latest?.body ?? '', latest?.headers ?? {})).toMatchObject({
      type: 'order.created',
    })
  })

  test('of another app is no address for a webhook', async () => {
    const url = catcherUrl(lab.context, newCatcherToken())
    expect((await faultOf(lab.subscribe(url))).errors).toEqual({ url: ['The url field must be a valid URL.'] })
  })
})
