import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { orderStatuses } from '../../commerce/order.ts'
import { shipmentStatuses } from '../../commerce/shipment.ts'
import { events, eventTypes } from './event.ts'
import { sampleOf, samples } from './samples.ts'

test.each(eventTypes)('the sample of %s has what its schema says, and nothing else', (type) => {
  const { data } = events[type]
  expect([...Value.Errors(data, samples[type])]).toEqual([])
  expect(Object.keys(samples[type]).sort()).toEqual(Object.keys(data.properties).sort())
})

test('a sample says that it is one', () => {
  expect(sampleOf('order.created')).toMatchObject({ number: '#1001', sample: true })
})

test('statuses in samples are those of the records', () => {
  const known = { order: orderStatuses, shipment: shipmentStatuses.map((status) => status.toUpperCase()) }
  const strange = eventTypes.flatMap((type) => {
    const [record = ''] = type.split('.')
    if (record !== 'order' && record !== 'shipment') return []
    const { status, previous_status: before } = samples[type] as { status: string; previous_status: string | null }
    return [status, before].filter((word) => word !== null && !known[record].some((one) => one === word))
  })
  expect(strange).toEqual([])
})
