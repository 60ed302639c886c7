import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { pageLanguages } from '../src/api/arrival/arrival-script.ts'
import { pageSentences } from '../src/api/arrival/page-sentences.ts'
import { changingSentences } from '../src/commerce/words/changing.ts'
import { connectingSentences } from '../src/commerce/words/connecting.ts'
import { guardSentences } from '../src/commerce/words/guarding.ts'
import { readingSentences } from '../src/commerce/words/reading.ts'
import { recordSentences } from '../src/commerce/words/records.ts'
import { linkSentences } from '../src/domain/alerts/sending/link-sentences.ts'
import { inboundSentences } from '../src/domain/inbound/inbound-message.ts'
import { logSentences } from '../src/domain/logs/log-sentences.ts'
import { actionSentences } from '../src/domain/logs/log-words.ts'
import { historySentences } from '../src/domain/orders/privacy/history-sentences.ts'
import { attemptSentences } from '../src/domain/webhooks/attempt-words.ts'
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
  connecting: connectingSentences,
  reading: readingSentences,
  records: recordSentences,
  changing: changingSentences,
  guards: guardSentences,
  log: logSentences,
  actions: actionSentences,
  messages: inboundSentences,
  attempts: attemptSentences,
  history: historySentences,
  pages: pageSentences,
  links: linkSentences,
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

/** The same of what speaks against a change: nobody who reads Polish is helped by "Set force to do it anyway." */
test('guards of orders, parcels and refunds speak by codes', () => {
  const plain =
    /(?:return|=>|\?|(?<!description):|\[) ?(?:\[)?['"`](?:The|This|Nothing|No|Part|There|Which) [^'"`]*\.['"`]/
  const found = [
    'commerce/rules/*-guards',
    'commerce/rules/left-to-send',
    'commerce/rules/quantities',
    'commerce/changes/order-change',
  ]
    .flatMap((name) => globSync(`src/${name}.ts`))
    .filter((file) => plain.test(readFileSync(file, 'utf8')))
  expect(found).toEqual([])
  expect(
    ["return 'The order is on hold.'", "{ amount: ['There is nothing to refund.'] }"].map((one) => plain.test(one)),
  ).toEqual([true, true])
})

/** Why a record is set aside is read by merchants: what translators say of it, they say by a code. */
test('translators say by codes what is wrong with a record', () => {
  const plain = /new (?:TypeError|RangeError|Error)\(['"`]/
  const names = '{translate-*,amounts,statuses,countries,quantities,values,webhooks}'
  const files = [
    ...globSync(`src/connectors/**/${names}.ts`),
    ...['reading', 'wire/local-time'].map((name) => `src/commerce/${name}.ts`),
  ]
  const said = files.filter((file) => readFileSync(file, 'utf8').includes('new Unreadable('))
  expect(said.length).toBeGreaterThan(30)
  expect(files.filter((file) => plain.test(readFileSync(file, 'utf8')))).toEqual([])
})

/** A complaint stands at its field, so nobody has to name it. */
const parametersOf = (sentence: string) => [...new Set(namesIn(sentence))].filter((name) => name !== 'field').sort()

/** By folder, what its files call them. */
const folders = {
  log: 'entries',
  messages: 'messages',
  records: 'records',
  refusals: 'refusals',
  guards: 'guards',
  pages: 'pages',
} as const

const words = async (code: string): Promise<ReasonWords> => {
  const parts = Object.entries(folders).map(async ([folder, name]) => {
    const file = (await import(/* @vite-ignore */ `../web/components/reasons/${folder}/${code}.ts`)) as Record<
      string,
      ReasonWords
    >
    return file[name]
  })
  return Object.assign({}, ...(await Promise.all(parts)))
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
