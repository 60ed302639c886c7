import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { announce } from '../../src/domain/announce-store.ts'
import { changeApp } from '../../src/domain/apps/app-store.ts'
import { emitEvents } from '../../src/domain/events/event-store.ts'
import { deleteSubscription } from '../../src/domain/webhooks/delete-subscription.ts'
import { rotateSecret } from '../../src/domain/webhooks/rotate-secret.ts'
import type { Sender } from '../../src/domain/webhooks/sender/start-sender.ts'
import type { Subscription } from '../../src/domain/webhooks/subscription.ts'
import { updateWebhook } from '../../src/domain/webhooks/update-webhook.ts'
import { someEvents } from '../prove/support/some-events.ts'
import { type HookReceiver, openHookReceiver } from '../support/hook-receiver.ts'
import { listenHttp } from '../support/loopback.ts'
import { untilHolds } from '../support/until.ts'
import { openWebhookLab, type WebhookLab } from '../support/webhook-lab.ts'

/** An endpoint that answers the first request, and the others when it is let. */
async function openGatekeeper() {
  const signatures: string[] = []
  const waiting: (() => void)[] = []
  let isOpen = false
  const server = await listenHttp((request, response) => {
    request.resume().on('end', () => {
      signatures.push(String(request.headers['webhook-signature']))
      if (isOpen || signatures.length === 1) response.end()
      else waiting.push(() => response.end())
    })
  })
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    signatures,
    held: () => waiting.length,
    open() {
      isOpen = true
      for (const answer of waiting.splice(0)) answer()
    },
    close: () => server.close(),
  }
}

const count = 60
const onTheWire = 8
const until = (check: () => unknown) => untilHolds(check)

let lab: WebhookLab
let endpoint: Awaited<ReturnType<typeof openGatekeeper>>
let elsewhere: HookReceiver
let webhook: Subscription
let sender: Sender

const happen = (times: number, first = 0) =>
  lab.context.transaction((trx) => emitEvents(trx, someEvents(lab.appId, first, times)))
const heard = (what: string) => until(() => expect(lab.heard).toContain(what))
const states = async () => (await lab.deliveries()).map(({ state }) => state)

/** One has been delivered, eight are on their way, and all the others lie ready. */
beforeEach(async () => {
  lab = await openWebhookLab()
  endpoint = await openGatekeeper()
  elsewhere = await openHookReceiver()
  webhook = (await lab.subscribe(endpoint.url)).webhook
  // However slow the machine: nothing but what is tested takes out what lies ready, and the endpoint is near.
  sender = await lab.startSender({ gate: { lingersAfterMs: 60_000, now: () => 0 } })
  await happen(1)
  await until(async () => expect(await states()).toEqual(['delivered']))
  await happen(count, 1)
  await until(async () => expect((await lab.deliveries()).filter((each) => each.lease_until)).toHaveLength(count))
  await until(() => expect(endpoint.held()).toBe(onTheWire))
})
afterEach(async () => {
  endpoint.open()
  await lab.close()
  await endpoint.close()
  await elsewhere.close()
})

describe('what lies ready', () => {
  test('goes out when there is room, once', async () => {
    endpoint.open()
    await until(async () => expect(new Set(await states())).toEqual(new Set(['delivered'])))
    expect(endpoint.signatures).toHaveLength(1 + count)
    expect((await lab.deliveries()).every(({ attempts }) => attempts === 1)).toBe(true)
  })

  test('is due for others at once when the sender stops, and was never attempted', async () => {
    await sender.stop({ timeoutMs: 0 })
    const rest = (await lab.deliveries()).filter(({ state }) => state === 'pending')
    expect(rest).toHaveLength(count)
    expect(rest.filter(({ attempts }) => attempts === 0)).toHaveLength(count - onTheWire)
    const { rows } = await sql<{ due: boolean }>`
      select bool_and(due_at <= now() and lease_until is null) as due from webhook_deliveries
      where state = 'pending'`.execute(lab.context.db)
    expect(rows).toEqual([{ due: true }])
    expect(endpoint.signatures).toHaveLength(1 + onTheWire)
  })
})

describe('a change takes effect at once, whatever lies ready', () => {
  test('of the secret: what follows carries the signatures of both', async () => {
    await rotateSecret(lab.context, webhook)
    await heard(`webhook:${webhook.id}`)
    endpoint.open()
    await until(() => expect(endpoint.signatures).toHaveLength(1 + count))
    const signatures = endpoint.signatures.slice(1 + onTheWire)
    expect(signatures.every((each) => each.split(' ').length === 2)).toBe(true)
  })

  test('of the address: what follows goes to the new one', async () => {
    await updateWebhook(lab.context, webhook, { url: elsewhere.url })
    await heard(`webhook:${webhook.id}`)
    endpoint.open()
    await until(() => expect(elsewhere.received).toHaveLength(count - onTheWire))
    expect(endpoint.signatures).toHaveLength(1 + onTheWire)
  })

  const nothingFollows = async (state: string) => {
    endpoint.open()
    const expected = [
      ...Array<string>(1 + onTheWire).fill('delivered'),
      ...Array<string>(count - onTheWire).fill(state),
    ]
    await until(async () => expect(await states()).toEqual(expected))
    expect(endpoint.signatures).toHaveLength(1 + onTheWire)
  }

  test('of the switch: nothing follows, and everything when it is switched on', async () => {
    await updateWebhook(lab.context, webhook, { active: false })
    await heard(`webhook:${webhook.id}`)
    await nothingFollows('held')
    await until(async () => expect((await lab.deliveries()).at(-1)?.attempts).toBe(0))
    await updateWebhook(lab.context, webhook, { active: true })
    await until(() => expect(endpoint.signatures).toHaveLength(1 + count))
  })

  test('of the app: nothing follows', async () => {
    await lab.context.transaction(async (trx) => {
      await changeApp(trx, lab.appId, { active: false })
      await announce(trx, 'app', lab.appId)
    })
    await heard(`app:${lab.appId}`)
    endpoint.open()
    const given = (each: { lease_until: string | null }) => each.lease_until === null
    await until(async () => expect((await lab.deliveries()).every(given)).toBe(true))
    expect(endpoint.signatures).toHaveLength(1 + onTheWire)
  })

  test('of its existence: nothing follows', async () => {
    await deleteSubscription(lab.context, webhook.id)
    await heard(`webhook:${webhook.id}`)
    await nothingFollows('cancelled')
  })
})
