import { Fault } from '../../src/lib/fault.ts'
import { drawLots, type Lots, testSeed } from '../support/chance.ts'
import { everyConnector, openSpoiled, readAll, someIds } from '../support/spoiled-shops.ts'
import { proof } from './support/proof.ts'

/** Whatever a shop answers, it is the shop's fault: spoilt values, and spoilt text of JSON, XML and everything else. */
export const fuzzShops = proof({
  name: 'fuzz-shops',
  asked: '10,000 spoilt answers of shops over all connectors: 0 errors that are ours, 0 crashes',
  full: { answers: 10_000 },
  quick: { answers: 40 * everyConnector.length },
  async run({ answers }, lab) {
    const lots = drawLots('fuzz-shops')
    const ours = new Map<string, number>()
    const figures = { answers: 0, refused: 0, read: 0 }
    const each = Math.ceil(answers / everyConnector.length)
    for (const { type, connector } of everyConnector) {
      const shop = openSpoiled(connector)
      const ids = await someIds(shop)
      let left = each
      shop.spoil.how = (text) => {
        left--
        figures.answers++
        return spoilt(lots, text)
      }
      while (left > 0) {
        const before = left
        for (const outcome of await readAll(shop, ids)) {
          if (typeof outcome === 'number') figures.read++
          else if (outcome instanceof Fault) figures.refused++
          else {
            const what = `${type}: ${outcome instanceof Error ? `${outcome.name} ${outcome.message}` : String(outcome)}`
            ours.set(what, (ours.get(what) ?? 0) + 1)
          }
        }
        // A platform whose lists are not asked over the wire has nothing to spoil.
        if (left === before) break
      }
      lab.progress('answers', figures.answers, answers)
    }
    for (const [what, times] of ours) process.stderr.write(`${times} × ${what}\n`)
    return {
      measured: `${figures.answers} spoilt answers of ${everyConnector.length} connectors: ${figures.read} readings all the same, ${figures.refused} refused as the shop’s fault, ${ours.size} kinds of errors that are ours; TEST_SEED=${testSeed}`,
      pass: ours.size === 0,
    }
  },
})

const values: readonly unknown[] = [null, [], {}, 0, -1, 1e308, '', 'x', true, [[]], [null], [{}], { a: [] }, '\0']

function spoilt(lots: Lots, text: string): string {
  if (lots.fraction() < 0.5 && /^\s*[[{]/.test(text)) return JSON.stringify(spoiltValue(lots, JSON.parse(text)))
  return spoiltText(lots, text)
}

function spoiltValue(lots: Lots, value: unknown): unknown {
  if (lots.fraction() < 0.04) return lots.pick(values)
  if (Array.isArray(value)) return value.map((part) => spoiltValue(lots, part))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, spoiltValue(lots, part)]))
}

const inserts = [
  '<',
  '>',
  '"',
  '{',
  ']',
  '&',
  '<!DOCTYPE x [<!ENTITY a "b">]>',
  '\u0000',
  '-',
  '1e999',
  '<a>',
  ' null ',
]

/** Cut off, doubled, emptied, or with something in the middle of it. */
function spoiltText(lots: Lots, text: string): string {
  const at = Math.floor(lots.fraction() * text.length)
  const end = Math.min(text.length, at + Math.floor(lots.fraction() * 200))
  switch (lots.pick(['cut', 'drop', 'double', 'insert', 'empty', 'page'] as const)) {
    case 'cut':
      return text.slice(0, at)
    case 'drop':
      return text.slice(0, at) + text.slice(end)
    case 'double':
      return text.slice(0, end) + text.slice(at)
    case 'insert':
      return text.slice(0, at) + lots.pick(inserts) + text.slice(at)
    case 'empty':
      return ''
    default:
      return '<html><body>Just a moment...</body></html>'
  }
}
