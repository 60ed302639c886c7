import { describe, expect, test } from 'vitest'
import { faultOf } from '../../../../test/support/identity.ts'
import { type ImitationOptions, openImitation, openOrder } from '../../../../test/support/imitation.ts'
import type { RemoteAnswer } from '../../../commerce/remote.ts'
import { amazon } from '../index.ts'
import type { Credentials, Settings } from '../settings.ts'
import { cancel } from './cancel-order.ts'
import { firstError } from './feed.ts'

function open(options: ImitationOptions = {}) {
  const imitation = openImitation<Settings, Credentials>(amazon, { orders: 80, ...options })
  const { shop, asked, simulator } = imitation
  const kept: string[] = []
  const operation = (receipt: string | null = null) => ({
    id: 'cancel-1',
    receipt,
    keep: async (given: string) => void kept.push(given),
  })
  const send = (remoteId: string, reason: string | null = null) => cancel.send(shop, { remoteId, reason }, operation())
  const confirm = async (remoteId: string, receipt: string | null = null) =>
    cancel.repeatable ? null : await cancel.confirm(shop, { remoteId, reason: null }, operation(receipt))
  const handedOver = () => asked.flatMap(({ request: { method, body } }) => (method === 'PUT' ? [String(body)] : []))
  const cancelled = () =>
    simulator.ledger().filter((entry) => entry.kind === 'effect' && entry.operation === 'order.cancel').length
  return { ...imitation, kept, send, confirm, handedOver, cancelled }
}

const reasonIn = (file = '') => /<CancelReason>(\w+)</.exec(file)?.[1]

describe('an order is cancelled by a file', () => {
  test('that names all of its lines, and is told as cancelled once Amazon shows it', async () => {
    const { simulator, send, handedOver, cancelled, kept } = open()
    const id = openOrder(simulator, ({ lines }) => lines.length > 1)
    expect(await send(id)).toMatchObject({ remote_id: id, status: 'cancelled' })
    const [file = ''] = handedOver()
    expect(file).toContain(`<AmazonOrderID>${id}</AmazonOrderID><StatusCode>Failure</StatusCode>`)
    expect(file.match(/<AmazonOrderItemCode>/g)).toHaveLength(simulator.order(id)?.lines.length ?? 0)
    expect([reasonIn(file), kept]).toEqual(['NoInventory', ['1']])
    // What is cancelled is left alone.
    expect(await send(id)).toMatchObject({ status: 'cancelled' })
    expect([handedOver().length, cancelled()]).toEqual([1, 1])
  })

  test.each([
    ['shipping address undeliverable', {}, 'ShippingAddressUndeliverable'],
    ['too late', {}, 'NoInventory'],
    [null, { cancel_wishes: 'yes' }, 'BuyerCanceled'],
  ] as const)('for the reason %s', async (reason, variant, expected) => {
    const { simulator, send, handedOver } = open({ variant })
    const isWished = (index: number) => !('cancel_wishes' in variant) || index % 4 === 1
    await send(
      openOrder(simulator, ({ index }) => isWished(index)),
      reason,
    )
    expect(handedOver().map(reasonIn)).toEqual([expected])
  })

  test('unless it has been sent in part, which Amazon would pay back, or Amazon sends it itself', async () => {
    const { simulator, send, handedOver } = open({ variant: { fulfilled_by: 'both' } })
    const [part] = simulator.truth().filter(({ stage }) => stage === 'part_sent')
    const foreign = openOrder(simulator, ({ index }) => index % 5 === 4)
    for (const id of [part?.remote_id ?? '', foreign, '302-9999999-9999999'])
      expect(await faultOf(send(id))).toMatchObject({ kind: 'upstream_refused' })
    expect(handedOver()).toEqual([])
  })
})

describe('while Amazon works on the file', () => {
  test('it is asked after by its number, and no second one is handed over', async () => {
    const { simulator, send, confirm, kept, handedOver } = open({ variant: { feed_delay: 'yes' } })
    const id = openOrder(simulator)
    const waits = { kind: 'upstream_retryable', retryAfterSeconds: 60 }
    expect(await faultOf(send(id))).toMatchObject(waits)
    expect(kept).toEqual(['1'])
    expect(await faultOf(confirm(id, '1'))).toMatchObject(waits)
    simulator.advance(200)
    expect(await confirm(id, '1')).toMatchObject({ status: 'cancelled' })
    expect(handedOver()).toHaveLength(1)
  })

  test('and nobody has its number, any file may be ours; where there is none it was never handed over', async () => {
    const { simulator, send, confirm } = open({ variant: { feed_delay: 'yes' } })
    const [id, other] = [openOrder(simulator), openOrder(simulator, ({ index }) => index > 20)]
    expect(await confirm(id)).toBeNull()
    await faultOf(send(other))
    expect(await faultOf(confirm(id))).toMatchObject({ retryAfterSeconds: 60 })
    simulator.advance(200)
    expect(await confirm(id)).toBeNull()
  })
})

test('what Amazon says in its report is the reason; a file that it gives up is refused, one without effect yet waited for', async () => {
  const report = (errors: number) =>
    `<ProcessingReport><MessagesWithError>${errors}</MessagesWithError><Result><ResultCode>Error</ResultCode><ResultMessageCode>18028</ResultMessageCode><ResultDescription>Too late &amp; gone</ResultDescription></Result></ProcessingReport>`
  let [status, errors] = ['DONE', 1]
  const { simulator, confirm } = open({
    before: ({ url, request: { method } }) => {
      const reply = (body: unknown): RemoteAnswer => ({ status: 200, headers: {}, body })
      if (method !== 'GET') return null
      if (url.includes('/feeds/2021-06-30/feeds/'))
        return reply({ processingStatus: status, resultFeedDocumentId: 'r' })
      if (url.includes('/feeds/2021-06-30/documents/')) return reply({ url: 'https://files.amazonaws.com/r' })
      return url.startsWith('https://files.') ? reply(report(errors)) : null
    },
  })
  const asked = () => faultOf(confirm(openOrder(simulator), '1'))
  expect(await asked()).toMatchObject({ kind: 'upstream_refused', message: 'Too late & gone' })
  errors = 0
  expect(await asked()).toMatchObject({ kind: 'upstream_retryable' })
  status = 'FATAL'
  expect(await asked()).toMatchObject({ kind: 'upstream_refused' })
  expect(firstError('<MessagesWithError>2</MessagesWithError>')).toMatchObject({ text: 'Amazon rejected the request.' })
})
