import { XMLParser } from 'fast-xml-parser'
import { type Fields, isFields } from '../reading.ts'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  parseTagValue: false,
  trimValues: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
})

/**
 * A document of a platform, by the names of its tags: attributes have an @ before their name, and what stands beside them is
 * `#text`. Documents that declare something are refused before anybody looks into them: that is how a few lines become
 * gigabytes, and how files of ours end up in them.
 */
export function parseXml(text: string): Fields {
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new TypeError('The shop sent a document with declarations.')
  if (hasMoreTags(text)) throw new TypeError(`The shop sent a document of more than ${maxTags} tags.`)
  const parsed: unknown = parser.parse(text)
  return isFields(parsed) ? parsed : {}
}

/** More than the largest page has; each takes a thousandth of a millisecond. */
const maxTags = 120_000

function hasMoreTags(text: string): boolean {
  let tags = 0
  for (let at = text.indexOf('<'); at >= 0 && tags <= maxTags; at = text.indexOf('<', at + 1)) tags++
  return tags > maxTags
}
