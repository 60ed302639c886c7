import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pageLanguages } from '../src/api/arrival/arrival-script.ts'
import { pageSentences } from '../src/api/arrival/page-sentences.ts'
import { refusalSentences } from '../src/commerce/words/say.ts'
import { logSentences } from '../src/domain/logs/log-sentences.ts'
import { actionSentences } from '../src/domain/logs/log-words.ts'
import { faultSentences } from '../src/lib/fault.ts'
import { complaintSentences } from '../src/lib/validation/complaints.ts'
import { namesIn, type Sentences } from '../src/lib/words/wording.ts'
import { egressSentences } from '../src/runtime/egress/egress-faults.ts'
import { type ReasonWords, sayReasonsIn } from '../web/components/reasons/index.ts'
import { otherLanguages } from '../web/components/words/languages.ts'

/** What the service says in English, in the log, in refusals and on pages, is said in other languages by its code. */

const catalogues: Readonly<Record<string, Sentences>> = {
  faults: faultSentences,
  complaints: complaintSentences,
  egress: egressSentences,
  refusals: refusalSentences,
  log: logSentences,
  actions: actionSentences,
  pages: pageSentences,
}
const english: Sentences = Object.assign({}, ...Object.values(catalogues))

test('pages on the way to a platform speak what elements speak', () => {
  expect(pageLanguages).toEqual(otherLanguages)
})

test('no code says two things', () => {
  const codes = Object.values(catalogues).flatMap((sentences) => Object.keys(sentences))
  expect(codes.filter((code, n) => codes.indexOf(code) !== n)).toEqual([])
})

/** A string is what a shop has said: a sentence of ours that is given as one would stay English in every language. */
test('connectors refuse by codes', () => {
  const plain =
    /\b(?:refused|refusedAt|hidden|cannotTell|credentialsRefused|shopAway)\((?:\[[^\]]*\], |\w+, undefined, |'[\w.]+', )?(?:[^()'"`]*\?\? )?['"`][A-Z]/
  const found = ['connectors', 'commerce', 'domain/shop', 'domain/sync', 'domain/install']
    .flatMap((folder) => globSync(`src/${folder}/**/*.ts`))
    .filter((file) => !file.endsWith('.test.ts') && plain.test(readFileSync(file, 'utf8')))
  expect(found).toEqual([])
  expect(
    ["refused('No.')", "credentialsRefused(['a'], 'No.')", "refused(a ?? 'No.')"].map((one) => plain.test(one)),
  ).toEqual([true, true, true])
})

/** A complaint stands at its field, so nobody has to name it. */
const parametersOf = (sentence: string) => [...new Set(namesIn(sentence))].filter((name) => name !== 'field').sort()

const words = async (code: string): Promise<ReasonWords> => {
  const { entries } = (await import(/* @vite-ignore */ `../web/components/reasons/log/${code}.ts`)) as {
    entries: ReasonWords
  }
  const { refusals } = (await import(/* @vite-ignore */ `../web/components/reasons/refusals/${code}.ts`)) as {
    refusals: ReasonWords
  }
  const { pages } = (await import(/* @vite-ignore */ `../web/components/reasons/pages/${code}.ts`)) as {
    pages: ReasonWords
  }
  return { ...entries, ...refusals, ...pages }
}

/** Words that several languages share. */
const shared = new Set(['page.shop', 'page.app', 'page.account'])

describe.each(otherLanguages)('%s', (language) => {
  test('says every code, and none that there is not', async () => {
    expect(Object.keys(await words(language)).sort()).toEqual(Object.keys(english).sort())
  })

  test('says exactly the parameters of each', async () => {
    const said = await words(language)
    const wrong = Object.entries(english).filter(
      ([code, sentence]) => parametersOf(said[code] ?? '').join() !== parametersOf(sentence).join(),
    )
    expect(wrong.map(([code]) => code)).toEqual([])
  })

  test('leaves no sentence in English', async () => {
    const said = await words(language)
    const plain = (sentence: string) => sentence.replace(/\{\w+\}/g, '').trim()
    const same = Object.entries(english).filter(
      ([code, sentence]) =>
        !shared.has(code) && /\p{L}/u.test(plain(sentence)) && plain(said[code] ?? '') === plain(sentence),
    )
    expect(same.map(([code]) => code)).toEqual([])
  })
})

describe('a sentence', () => {
  const say = sayReasonsIn(
    {
      outer: 'Gescheitert: {reason}',
      inner: 'Kein {platform} hier.',
      counted: '{read} gelesen[, {inserted} neu][, {updated} geändert].',
      several: '{all} Ende.',
      until: 'Bis {at}.',
    },
    'de',
  )
  const at = (code: string, parameters: Record<string, unknown> = {}) => ({ code, parameters })

  test('holds others', () => {
    expect(say(at('outer', { reason: at('inner', { platform: 'Magento' }) }))).toBe('Gescheitert: Kein Magento hier.')
    expect(say(at('several', { all: [at('inner', { platform: 'A' }), at('inner', { platform: 'B' })] }))).toBe(
      'Kein A hier. Kein B hier. Ende.',
    )
  })

  test('repeats a shop in its own words', () => {
    expect(say(at('outer', { reason: 'Invalid {platform} [API] key' }))).toBe(
      'Gescheitert: Invalid {platform} [API] key',
    )
  })

  test('leaves out what is nothing, and has figures and times as the language has them', () => {
    expect(say(at('counted', { read: 12345, inserted: 0, updated: 2 }))).toBe('12.345 gelesen, 2 geändert.')
    expect(say(at('until', { at: '2026-11-17T12:00:00.000Z' }))).toMatch(/^Bis 17\.11\.2026/)
  })

  test('is not said where there are no words for it', () => {
    expect(say(at('something.new'))).toBeNull()
    expect(say(at('toString'))).toBeNull()
    for (const odd of [null, undefined, 'inner', 5, {}]) expect(say(odd)).toBeNull()
  })
})
