import { expect, test } from 'vitest'
import { openImitation } from '../../../../test/support/imitation.ts'
import { reckonRefund } from '../../../commerce/rules/refund-guards.ts'
import { woocommerce } from '../index.ts'

test('an order that no gateway took money for is refunded by hand, and the setting for that is named', async () => {
  const { shop } = openImitation(woocommerce)
  const { orders, refunds } = woocommerce
  const [article] =
    (await woocommerce.inventory?.list(shop, { updatedSince: null, statuses: [], cursor: null, limit: 5 }))?.items ?? []
  const sku = String(Object(article)['sku'])
  const draft = { currency: 'EUR', lines: [{ sku, quantity: 1, unit_price: '12.00' }] }
  const order = await orders?.create?.send(shop, draft, { id: 'made by hand' })
  if (!order || !refunds) throw new Error('The connector makes no orders, or no refunds.')
  const { wanted } = reckonRefund(order, { order_remote_id: order.remote_id, amount: '2.00' }, refunds)
  await expect(refunds.create.send(shop, wanted, { id: 'paid out' })).rejects.toMatchObject({
    kind: 'upstream_refused',
    errors: {
      'settings.refund_payments': [
        'The payment gateway for this order does not exist. To record refunds in the shop and pay them back by hand, set refund_payments of the integration to false.',
      ],
    },
  })
  const recording = { ...shop, settings: { ...shop.settings, refund_payments: false } }
  const after = await refunds.create.send(recording, wanted, { id: 'recorded' })
  expect(after.refunded_total).toEqual({ amount: '2.00', currency: 'EUR' })
})
