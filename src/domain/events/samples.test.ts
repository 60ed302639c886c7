import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
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
