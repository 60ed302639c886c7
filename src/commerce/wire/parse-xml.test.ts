import fc from 'fast-check'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { seedFor } from '../../../test/support/chance.ts'
import { parseXml } from './parse-xml.ts'

const other = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  parseTagValue: false,
  trimValues: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
})

const words = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '1', '&lt;', '&amp;', '&apos;', '.', '"', "'") })
const name = fc.constantFrom('order', 'a', 'b', 'ns:c', 'id-1')
const attributes = fc
  .dictionary(
    name,
    words.map((text) => text.replaceAll('"', '')),
    { maxKeys: 2 },
  )
  .map((all) =>
    Object.entries(all)
      .map(([key, value]) => ` ${key}="${value}"`)
      .join(''),
  )
const { tag } = fc.letrec<{ tag: string }>((tie) => ({
  tag: fc
    .tuple(name, attributes, fc.array(fc.oneof({ maxDepth: 4 }, words, tie('tag')), { maxLength: 4 }))
    .map(([key, given, inside]) =>
      inside.length === 0 ? `<${key}${given}/>` : `<${key}${given}>${inside.join('')}</${key}>`,
    ),
}))

describe('documents of platforms', () => {
  test('are read as a library reads them', () => {
    fc.assert(
      fc.property(tag, (text) => {
        const document = `<?xml version="1.0" encoding="utf-8"?>\n<root>${text}</root>\n`
        expect(withoutBlanks(parseXml(document))).toEqual(withoutBlanks(other.parse(document)))
      }),
      { numRuns: 500, seed: seedFor('parse-xml') },
    )
  })

  test('have names, attributes, texts, and lists where a name comes twice', () => {
    expect(parseXml("<a b = 'c &#x26; d' ><e>1</e><!-- <e/> --><e/>x<![CDATA[<y>&amp;]]></a>")).toEqual({
      a: { '@b': 'c & d', e: ['1', ''], '#text': 'x<y>&amp;' },
    })
    expect(parseXml('<a>&#233;&#xE9;&unknown;&#99999999;</a>')).toEqual({ a: 'éé&unknown;&#99999999;' })
    expect(parseXml('no document')).toEqual({})
  })

  test.each([
    ['an end that is missing', '<a><b></a>'],
    ['an end too many', '<a/></a>'],
    ['no end at all', '<a><b x'],
    ['an attribute without a value', '<a b></a>'],
    ['an attribute without quotes', '<a b=1></a>'],
    ['an open comment', '<a><!-- </a>'],
    ['an open section', '<a><![CDATA[ </a>'],
    ['a name that reaches into prototypes', '<a><__proto__><x>1</x></__proto__></a>'],
    ['depth', '<a>'.repeat(100) + '</a>'.repeat(100)],
    ['declarations', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ['tags without end', '<a>'.repeat(130_000)],
    ['references without end', `<a>${'&lt;'.repeat(310_000)}</a>`],
    ['attributes without end', `<a ${'b="1" '.repeat(130_000)}/>`],
    ['text without end', `<a>${'x'.repeat(6_500_000)}</a>`],
  ])('with %s are refused', (_, text) => {
    expect(() => parseXml(text)).toThrow(TypeError)
  })
})

/** Blanks between tags are nobody's text; where they stand within one, libraries differ. */
function withoutBlanks(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\s/g, '')
  if (Array.isArray(value)) return value.map(withoutBlanks)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, part]) => [key, withoutBlanks(part)] as const)
      .filter(([key, part]) => key !== '#text' || part !== ''),
  )
}
