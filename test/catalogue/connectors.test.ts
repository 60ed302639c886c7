import { existsSync, readFileSync } from 'node:fs'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capabilitiesOf } from '../../src/commerce/capabilities.ts'
import type { Connector } from '../../src/commerce/connector.ts'
import { checkDefinition } from '../../src/commerce/definition/check-definition.ts'
import { connectors } from '../../src/connectors/index.ts'
import { conformanceShopsOf } from '../support/conformance-shops.ts'
import { makeTenant, startTestServer, type TestServer } from '../support/server.ts'

/** Whoever adds a connector brings all that the catalogue, the merchants and the conformance suite need of it. */

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await makeTenant(server.context)).userToken
})
afterAll(() => server.close())

const all = [...connectors.values()].map((connector) => ({ type: connector.type, connector }))

/** The three sandboxes share a folder. */
const folderOf = (type: string) =>
  new URL(`../../src/connectors/${type.startsWith('sandbox') ? 'sandbox' : type}/`, import.meta.url)

describe.each(all)('the connector $type', ({ type, connector }) => {
  test('has a guide for merchants', () => {
    const file = new URL('README.md', folderOf(type))
    const guide = existsSync(file) ? readFileSync(file, 'utf8') : ''
    expect(guide).toMatch(/^# \S/)
    expect(guide).toMatch(/^## (Set|Connect)/m)
    expect(guide).toMatch(/^## What it (can|does)/m)
  })

  test('has a picture that is drawn and nothing else', () => {
    const logo = connector.logo ?? ''
    expect(XMLValidator.validate(logo)).toBe(true)
    const tree = new XMLParser({ ignoreAttributes: false, preserveOrder: true }).parse(logo)
    const elements = elementsIn(tree)
    expect(elements[0]?.name).toBe('svg')
    const box = String(elements[0]?.attributes['@_viewBox'])
      .split(/[\s,]+/)
      .map(Number)
    expect(box).toHaveLength(4)
    expect(box[2]).toBe(box[3])
    for (const { name, attributes } of elements) {
      expect(drawn).toContain(name)
      for (const [attribute, value] of Object.entries(attributes)) {
        expect(attribute).not.toMatch(/^@_(on|href|xlink:|src|style)/i)
        // The one address in it is the name of its language; paint may refer to what is inside.
        if (attribute !== '@_xmlns') expect(String(value)).not.toMatch(/:|\/\/|url\((?!#)/)
      }
    }
    expect(logo.length).toBeLessThan(4000)
  })

  test('describes its settings and its credentials', () => {
    for (const schema of [connector.settings, connector.auth.credentials]) {
      expect(schema.type).toBe('object')
      expect(Object.keys(schema.properties).every((name) => /^[a-z][a-z0-9_]*$/.test(name))).toBe(true)
    }
    expect(Object.keys(connector.auth.credentials.properties)).not.toEqual([])
  })

  test('has something to be tried on', async () => {
    expect(Object.keys(await conformanceShopsOf(connector))).not.toEqual([])
  })

  test('is in the catalogue, with what it can do', async () => {
    const { json } = await server.call('GET', `/api/1.0/services?type=${type}`, { token })
    const { actions, webhooks, inventory_locations, partial_shipments } = capabilitiesOf(connector)
    expect(actions).toContain('sync_orders')
    expect(json['data']).toMatchObject([
      {
        type,
        name: connector.name,
        mutable: false,
        logo: expect.stringMatching(/\.svg/),
        capabilities: { actions, webhooks, inventory_locations, partial_shipments },
        settings_schema: { type: 'object' },
        definition: null,
      },
    ])
    const picture = await server.call('GET', `/catalogue/${type}.svg`)
    expect([picture.status, picture.text]).toEqual([200, connector.logo])
  })
})

const drawn = [
  ...['svg', 'g', 'defs', 'rect', 'path', 'circle', 'ellipse', 'line', 'polygon', 'polyline', 'clipPath', 'mask'],
  ...['linearGradient', 'radialGradient', 'stop'],
]

interface Element {
  name: string
  attributes: Record<string, unknown>
}

/** What the parser says of an element: its name with what is inside, and its attributes beside. */
function elementsIn(tree: unknown): Element[] {
  if (!Array.isArray(tree)) return []
  return tree.flatMap((node: Record<string, unknown>) => {
    const { ':@': attributes = {}, ...rest } = node
    return Object.entries(rest).flatMap(([name, inside]) => [
      { name, attributes: attributes as Record<string, unknown> },
      ...elementsIn(inside),
    ])
  })
}

describe('the guide on connectors', () => {
  const guide = readFileSync(new URL('../../docs/guides/connectors.md', import.meta.url), 'utf8')

  test('tells of every connector what it can do', () => {
    const [, table = ''] = /^## What each one can do$([\s\S]*?)^## /m.exec(guide) ?? []
    const rows = [...table.matchAll(/^\| `([a-z0-9_-]+)` \|(.*)\|$/gm)].map(([, type = '', rest = '']) => [
      type,
      rest.split('|').map((cell) => cell.trim()),
    ])
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(all.map(({ type, connector }) => [type, rowOf(connector)])),
    )
  })

  test('has an example of a definition that is right', () => {
    const [, example = ''] = /```json\n(\{\n {2}"type": "my-erp"[\s\S]*?)```/.exec(guide) ?? []
    const { definition } = JSON.parse(example)
    expect(checkDefinition(definition)).toEqual(definition)
  })
})

/** As the guide's table tells it. */
function rowOf({ auth, orders, products, inventory, shipments, acknowledgement, webhooks }: Connector): string[] {
  const words = (...parts: [unknown, string][]) => parts.flatMap(([there, word]) => (there ? [word] : [])).join(', ')
  const typed = auth.kind !== 'keys' && auth.typed !== undefined
  const ways = { keys: 'keys', oauth2: 'browser', key_handover: 'browser' }
  const none = (cell: string) => cell || '–'
  return [
    `${ways[auth.kind]}${typed ? ', keys' : ''}`,
    none(
      words([orders, 'read'], [orders?.create, 'make'], [orders?.cancel, 'cancel'], [acknowledgement, 'acknowledge']),
    ),
    none(words([shipments, shipments?.partial ? 'in parts' : 'in whole'])),
    none(words([products, 'read'], [products?.export, 'export'])),
    none(words([inventory, 'read'], [inventory?.set, 'set'], [inventory?.locations, 'by place'])),
    none(words([webhooks, webhooks?.registration.kind === 'api' ? 'registered by us' : 'set up there'])),
  ]
}
