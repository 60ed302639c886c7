import { describe, expect, test } from 'vitest'
import { allGuides } from '../../src/api/guide-pages.ts'
// @ts-expect-error It is served as it is, and has no types.
import { isSlip, prepare, search, stem } from '../../web/guides/guides-search.js'

/** What people look for in the guides, and where they should find it among the first three. */
const questions: readonly (readonly [string, RegExp])[] = [
  ['idempotency', /\/orders#safe-retries/],
  ['verify signature', /\/webhooks/],
  ['webhook secret', /\/webhooks/],
  ['rotate secret', /\/(webhooks|operate)/],
  ['retry', /\/(webhooks|inbound-webhooks|orders|client)/],
  ['passport', /\/orders/],
  ['missing order', /\/orders/],
  ['backup', /\/(operate|deploy)/],
  ['how do I restore a backup', /\/(operate|deploy)/],
  ['kubernetes', /\/deploy/],
  ['prometheus', /\/monitoring/],
  ['single sign-on', /\/sign-in/],
  ['passkey', /\/sign-in/],
  ['erase a customer', /\/privacy/],
  ['gateway key', /\/(migrate-1-to-2|install-flows)/],
  ['mcp', /\/agents/],
  ['approval', /\/agents/],
  ['shared stock', /\/one-stock/],
  ['content security policy', /\/components/],
  ['weather', /\/simulator/],
  ['service of your own', /\/(connectors|try-your-own-store)/],
  ['python', /\/quick-start-python/],
  ['slack', /\/alerts/],
  ['citus', /\/(scaling|operate|deploy)/],
]

interface Section {
  address: string
  title: string
}

const find = async (text: string): Promise<Section[]> => {
  const sections = (await allGuides()).flatMap((guide) => guide.sections)
  return search(prepare(sections), text)
}

describe('the search of the guides', () => {
  test.each(questions)('%s', async (text, where) => {
    const [first, ...others] = (await find(text)).slice(0, 3).map(({ address }) => address)
    expect([first, ...others].join(' ')).toMatch(where)
    expect(first).toMatch(where)
  })

  test('forgives one slip, and only where nothing else is found', async () => {
    expect((await find('idempotnecy'))[0]?.address).toBe((await find('idempotency'))[0]?.address)
    expect((await find('passporrt'))[0]?.address).toBe((await find('passport'))[0]?.address)
    expect(await find('xyzzyplugh')).toEqual([])
  })

  test('wants every word, in any order and form', async () => {
    const [one, other] = [await find('webhooks retrying'), await find('retry webhook')]
    expect(one[0]?.address).toBe(other[0]?.address)
    expect(await find('webhook xyzzyplugh')).toEqual([])
    expect(await find('   ')).toEqual([])
  })

  test('finds while somebody is still typing', async () => {
    expect((await find('kuber'))[0]?.address).toBe((await find('kubernetes'))[0]?.address)
  })
})

test('forms of a word are one, short words are left alone', () => {
  expect(['signatures', 'signature', 'retries', 'signed'].map(stem)).toEqual(['signatur', 'signatur', 'retr', 'sign'])
  expect(['is', 'ids', 'yes', 'need'].map(stem)).toEqual(['is', 'ids', 'yes', 'need'])
})

test.each([
  ['webhok', 'webhook', true],
  ['webhoook', 'webhook', true],
  ['wehbook', 'webhook', true],
  ['webhoot', 'webhook', true],
  ['webhook', 'webhook', false],
  ['wehboko', 'webhook', false],
  ['order', 'webhook', false],
])('%s for %s: %s', (typed, word, slip) => {
  expect(isSlip(typed, word)).toBe(slip)
})
