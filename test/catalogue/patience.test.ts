import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { testSources } from '../support/test-sources.ts'

const root = `${import.meta.dirname}/../..`

/** Ends what takes longer than anything else: an image is built there. */
const mayTakeLonger = ['test/deploy/image.test.ts']

/** What is said in `support/patience.ts` and `support/until.ts`, said by a test for itself. */
const own = [
  /\bvi\.waitFor\(|\bvi\.waitUntil\(/,
  /\btimeout: ?[\d_]+/,
  /\b(?:test|hook)Timeout\b/,
  // The last argument of a test or hook.
  /^ *\}, [\d_]{5,}\)$/m,
]

test('no test says how long it waits for what must come', () => {
  const found = testSources(import.meta.filename)
    .map((path) => [relative(root, path), readFileSync(path, 'utf8')] as const)
    .filter(
      ([path]) =>
        !/^(?:bench|test\/(?:prove|stores|mutants|support\/until))/.test(path) && !mayTakeLonger.includes(path),
    )
    .filter(([, text]) => own.some((pattern) => pattern.test(text)))
    .map(([path]) => path)
  expect(found).toEqual([])
})
