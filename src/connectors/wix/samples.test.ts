import { describe, expect, test } from 'vitest'
import { openImitation, openOrder } from '../../../test/support/imitation.ts'
import { whatDoesNotAddUp } from '../../../test/support/totals.ts'
import { hasSpecifications, noSpecifications, readSample } from '../../../test/support/vendor-specification.ts'
import { fieldsIn, fieldsOf, recordsIn } from '../../commerce/reading.ts'
import { wix } from './index.ts'
import { orders } from './orders.ts'
import type { Credentials, Settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { toOrder } from './translate-order.ts'

const sample = (name: string) => fieldsOf(readSample(`wix/samples/synthetic.${name}.json`))

describe.skipIf(!hasSpecifications)(`samples by Wix’s own types (else: ${noSpecifications})`, () => {
  test('of an order are understood, and add up', () => {
    const order = toOrder(fieldsIn(sample('getOrder.response'), 'order'))
    expect(whatDoesNotAddUp(order)).toEqual([])
    expect(order).toMatchObject({
      ...{
        number: '10001',
        status: 'open',
        payment_status: 'paid',
        fulfillment_status: 'unfulfilled',
        currency: 'USD',
      },
      ...{ total: { amount: '30.00' }, shipping_total: { amount: '5.00' }, prices_include_tax: false },
      ...{ shipping_method: 'Standard', sales_channel: 'WEB', customer: { email: 'ada@example.com', is_guest: true } },
      shipping_address: { name: 'Ada Example', line1: '1 Test Street', region_code: 'NY', country_code: 'US' },
      lines: [
        {
          ...{ sku: 'MUG-BLUE', quantity: 2, unit_price: { amount: '12.50' }, total: { amount: '25.00' } },
          variant_remote_id: '00000000-0000-4000-8000-0000000000bb',
        },
      ],
    })
  })

  test('of a parcel have the fields that ours have', async () => {
    const { shop, asked, simulator } = openImitation<Settings, Credentials>(wix)
    const order = toOrder(await orders.get(shop, openOrder(simulator)))
    const lines = order.lines.map(({ remote_id: id, quantity }) => ({ order_line_remote_id: id, quantity }))
    const draft = { order_remote_id: order.remote_id, tracking_number: '1Z999AA10123456784', carrier: 'UPS', lines }
    await shipments.create.send(shop, draft, { id: 'x' })
    const sent = fieldsOf(asked.find(({ url }) => url.endsWith('create-fulfillment'))?.request.body)
    const [ours, theirs] = [sent, sample('createFulfillment.request')].map((body) => fieldsIn(body, 'fulfillment'))
    expect(ours?.['trackingInfo']).toEqual(theirs?.['trackingInfo'])
    const namesIn = (body: unknown) => recordsIn(fieldsOf(body), 'lineItems').map((line) => Object.keys(line).sort())
    expect(namesIn(ours)[0]).toEqual(namesIn(theirs)[0])
  })
})
