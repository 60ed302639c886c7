import { validate } from '@readme/openapi-parser'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api/index.ts'
import { fullPath } from '../../src/runtime/http/endpoint.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

interface Operation {
  operationId: string
  tags: string[]
  summary: string
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> }
  responses: Record<string, Answer | { $ref: string }>
}
interface Answer {
  description: string
  content?: Record<string, { schema: object }>
}
interface Document {
  openapi: string
  info: { title: string; version: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: object
    schemas: Record<string, Record<string, unknown>>
    headers: object
    responses: Record<string, Answer>
  }
}

let server: TestServer
let document: Document
let operations: { path: string; method: string; operation: Operation }[]

beforeAll(async () => {
  server = await startTestServer()
  const { json } = await server.call('GET', '/api/openapi.json')
  document = json as unknown as Document
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
})

afterAll(() => server.close())

const shapeOf = (path: string) => path.replace(/\{\w+\}/g, '{}')

const answerOf = (answer: Answer | { $ref: string }): Answer => {
  if (!('$ref' in answer)) return answer
  const found = document.components.responses[answer.$ref.replace('#/components/responses/', '')]
  if (!found) throw new Error(`${answer.$ref} leads nowhere.`)
  return found
}

describe('/api/openapi.json', () => {
  test('is valid, by two validators that know nothing of each other', async () => {
    const copy = () => structuredClone(document) as never
    expect(await new Validator().validate(copy())).toMatchObject({ valid: true })
    expect(await validate(copy())).toMatchObject({ valid: true, warnings: [] })
  })

  test('is of version 3.1 and says what it describes', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info).toMatchObject({ title: 'Entrepot', version: '2.0' })
  })

  test('has every endpoint, and nothing else', () => {
    const described = operations.map(({ path, method }) => `${method.toUpperCase()} ${shapeOf(path)}`)
    const wanted = endpoints.map((endpoint) => `${endpoint.method} ${shapeOf(fullPath(endpoint))}`)
    expect(described.sort()).toEqual(wanted.sort())
  })

  test('no two paths differ in the names of their parameters only', () => {
    const shapes = Object.keys(document.paths).map(shapeOf)
    expect(shapes.length).toBe(new Set(shapes).size)
  })

  test('operations have ids of their own, known tags and a summary', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9_]*$/)
    const tags = document.tags.map(({ name }) => name)
    expect(tags).toHaveLength(new Set(tags).size)
    for (const { operation } of operations) {
      expect(tags).toEqual(expect.arrayContaining(operation.tags))
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/)
    }
  })

  test('the parameters of a path are described, each once', () => {
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const described = operation.parameters.filter((parameter) => parameter.in === 'path')
      expect([path, described.map(({ name }) => name)]).toEqual([path, named])
      for (const parameter of described) expect(parameter.required).toBe(true)
      const keys = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
      expect([path, keys.length]).toEqual([path, new Set(keys).size])
    }
  })

  test('locks name a known scheme, and only what guards itself has none', () => {
    const schemes = Object.keys(document.components.securitySchemes)
    for (const endpoint of endpoints) {
      const { operation } = operations.find(
        ({ path, method }) => shapeOf(path) === shapeOf(fullPath(endpoint)) && method === endpoint.method.toLowerCase(),
      ) ?? { operation: null }
      const wanted = endpoint.group.caller === null ? [] : [{ [endpoint.group.caller]: [] }]
      expect(operation?.security).toEqual(wanted)
      for (const scheme of wanted.flatMap((lock) => Object.keys(lock))) expect(schemes).toContain(scheme)
    }
  })

  test('every answer has a status and a description, and one of them is a success', () => {
    for (const { path, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      for (const status of statuses) expect(status).toMatch(/^[2345]\d\d$/)
      expect([path, statuses.some((status) => /^[23]/.test(status))]).toEqual([path, true])
      for (const answer of Object.values(operation.responses)) expect(answerOf(answer).description).toMatch(/\w/)
      const empty = operation.responses['204']
      if (empty) expect(answerOf(empty).content).toBeUndefined()
    }
  })

  test('every reference leads somewhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
    expect(references.length).toBeGreaterThan(0)
    for (const reference of new Set(references)) {
      const [start, ...steps] = (reference ?? '').split('/')
      expect(start).toBe('#')
      const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document)
      expect([reference, target]).toEqual([reference, expect.any(Object)])
    }
  })

  test('a schema says what it is, all the way down', () => {
    const types = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null']
    const walk = (schema: Record<string, unknown>, at: string) => {
      for (const type of [schema['type'] ?? []].flat())
        expect([at, types]).toEqual([at, expect.arrayContaining([type])])
      const properties = (schema['properties'] ?? {}) as Record<string, Record<string, unknown>>
      for (const name of (schema['required'] ?? []) as string[]) {
        expect([at, Object.keys(properties)]).toEqual([at, expect.arrayContaining([name])])
      }
      for (const [name, property] of Object.entries(properties)) walk(property, `${at}.${name}`)
      if (schema['type'] === 'array') walk(schema['items'] as Record<string, unknown>, `${at}[]`)
      for (const key of ['anyOf', 'allOf', 'oneOf']) {
        for (const option of (schema[key] ?? []) as Record<string, unknown>[]) walk(option, `${at} ${key}`)
      }
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) walk(schema, name)
    for (const { path, method, operation } of operations) {
      const contents = [
        operation.requestBody?.content,
        ...Object.values(operation.responses).map((answer) => answerOf(answer).content),
      ]
      for (const content of contents) {
        for (const { schema } of Object.values(content ?? {}))
          walk(schema as Record<string, unknown>, `${method} ${path}`)
      }
    }
  })
})
