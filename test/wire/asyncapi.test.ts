import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventTypes } from '../../src/domain/events/event.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('/api/asyncapi.json is valid, and has every event with an example that fits', async () => {
  const { status, json } = await server.call('GET', '/api/asyncapi.json')
  expect(status).toBe(200)
  const schema: object = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json')
  const checker = new Ajv({ strict: false, validateFormats: false })
  const isValid = checker.compile(schema)
  isValid(json)
  expect(isValid.errors ?? []).toEqual([])
  const { components } = json as {
    components: { messages: Record<string, { payload: object; examples: { payload: unknown }[] }> }
  }
  expect(Object.keys(components.messages)).toEqual(eventTypes)
  for (const { payload, examples } of Object.values(components.messages)) {
    expect(checker.validate(payload, examples[0]?.payload)).toBe(true)
  }
})
