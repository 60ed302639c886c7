import { foldName, type PersonSought, wordsOfPerson } from './person-words.ts'
import { blindWord, type RecordKey } from './record-box.ts'

/**
 * Whether a text names somebody of whom only keyed hashes are known: whatever in it looks like an e-mail address, a telephone
 * number or a name is hashed in the same way.
 */
export interface Sought {
  key: RecordKey
  /** Of `wordsOfPerson` and `phrasesOf`. */
  hashes: ReadonlySet<number>
}

const minPhrase = 8
const maxPhraseWords = 6

/** A name or a street, as it may stand in a text; nothing for what is too short to mean somebody. */
export function phrasesOf(text: string): string[] {
  const words = wordsIn(text).slice(0, maxPhraseWords)
  const [first] = words
  if (first === undefined || words.length < 2 || words.join('').length < minPhrase) return []
  return [`first ${first}`, `phrase ${words.join(' ')}`]
}

const wordsIn = (text: string): string[] => foldName(text).match(/[\p{L}\p{N}]+/gu) ?? []

export function isNamedIn({ key, hashes }: Sought, text: string): boolean {
  const known = (word: string) => hashes.has(blindWord(key, word))
  return candidatesIn(text).some((sought) => wordsOfPerson(sought).some(known)) || hasPhrase(known, text)
}

function candidatesIn(text: string): PersonSought[] {
  const emails = new Set(text.match(/[^\s"'<>()[\]{},;:\\|=&?/]+@[^\s"'<>()[\]{},;:\\|=&?/]+/g))
  const phones = new Set(text.match(/\d[\d ()/.-]{3,}\d/g))
  return [
    ...[...emails].flatMap((email) => [{ email }, { email: email.replace(/[.!]+$/, '') }]),
    ...[...phones].flatMap(numbersIn).map((phone) => ({ phone })),
  ]
}

const maxGroups = 8

/** Numbers that stand beside each other may be one, or several. */
function numbersIn(text: string): string[] {
  const groups = text.match(/\d+/g)?.slice(0, maxGroups) ?? []
  return groups.flatMap((_, from) => groups.slice(from).map((__, more) => groups.slice(from, from + more + 1).join('')))
}

/** Each different word is hashed once; what follows it only where a phrase may begin. */
function hasPhrase(known: (word: string) => boolean, text: string): boolean {
  const words = wordsIn(text)
  const begins = new Map<string, boolean>()
  return words.some((word, place) => {
    let isFirst = begins.get(word)
    if (isFirst === undefined) {
      isFirst = known(`first ${word}`)
      begins.set(word, isFirst)
    }
    if (!isFirst) return false
    for (let length = 2; length <= maxPhraseWords; length++) {
      if (known(`phrase ${words.slice(place, place + length).join(' ')}`)) return true
    }
    return false
  })
}

/** What a message or answer says, whatever it is written in: JSON, a form, or words. */
export function readable(text: string): string {
  const values = jsonIn(text)
  if (values !== undefined) return values.join('\n')
  return /%[0-9a-f]{2}|\+/i.test(text) ? `${text}\n${decoded(text)}` : text
}

function jsonIn(text: string): string[] | undefined {
  try {
    return leavesOf(JSON.parse(text))
  } catch {
    return undefined
  }
}

export function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(leavesOf)
}

function decoded(text: string): string {
  return text.replaceAll('+', ' ').replace(/(%[0-9a-f]{2})+/gi, (bytes) => {
    return Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()
  })
}
