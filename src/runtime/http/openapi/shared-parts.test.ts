import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import { sharingParts } from './shared-parts.ts'

const line = Type.Object({ sku: Type.String() })
const order = Type.Object({ id: Type.Integer(), lines: Type.Array(line) })
const names = new Map<TSchema, string>([
  [line, 'Line'],
  [order, 'Order'],
])
const refused = {
  description: 'No',
  content: { 'application/json': { schema: Type.Object({ message: Type.String() }) } },
}
const operation = (schema: object) => ({
  responses: { 200: { description: 'Yes', content: { 'application/json': { schema } } }, 404: refused },
})
const written = (schema: object) =>
  sharingParts({ paths: { '/a': { get: operation(schema) }, '/b': { get: operation(order) } } }, names)
const answerOf = (document: Record<string, unknown>) =>
  JSON.parse(JSON.stringify(document))['paths']['/a']['get']['responses']

test('a record is referred to by its name, also inside of another', () => {
  const document = JSON.parse(JSON.stringify(written(Type.Object({ data: order }))))
  expect(answerOf(document)['200'].content['application/json'].schema.properties.data).toEqual({
    $ref: '#/components/schemas/Order',
  })
  expect(document.components.schemas.Order.properties.lines.items).toEqual({ $ref: '#/components/schemas/Line' })
  expect(document.components.schemas.Line.properties).toEqual({ sku: { type: 'string' } })
})

test('a record with more to it is the record, and the rest', () => {
  const more = Type.Object({ ...order.properties, note: Type.Optional(Type.String()), by: Type.String() })
  expect(answerOf(written(more))['200'].content['application/json'].schema).toEqual({
    allOf: [
      { $ref: '#/components/schemas/Order' },
      { type: 'object', required: ['by'], properties: { note: { type: 'string' }, by: { type: 'string' } } },
    ],
  })
})

test('a record that lacks or changes a field is not the record', () => {
  for (const other of [
    Type.Object({ id: Type.Integer(), a: Type.String(), b: Type.String() }),
    Type.Object({ ...order.properties, id: Type.String(), a: Type.String() }),
    Type.Object({ ...order.properties, id: Type.Optional(Type.Integer()), a: Type.String() }),
  ]) {
    expect(answerOf(written(other))['200'].content['application/json'].schema).not.toHaveProperty('allOf')
  }
})

test('answers that are alike are one', () => {
  const document = JSON.parse(JSON.stringify(written(order)))
  expect(answerOf(document)['404']).toEqual({ $ref: '#/components/responses/NotFound' })
  expect(document.components.responses).toEqual({ NotFound: JSON.parse(JSON.stringify(refused)) })
})
