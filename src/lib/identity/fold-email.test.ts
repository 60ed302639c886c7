import { expect, test } from 'vitest'
import { foldEmail } from './fold-email.ts'

test.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['jose\u0301@example.com', 'jos\u00e9@example.com'],
  ['ＡＤＡ@example.com', 'ada@example.com'],
  ['\u212aarl@example.com', 'karl@example.com'],
])('%s is %s', (written, folded) => {
  expect(foldEmail(written)).toBe(folded)
  expect(foldEmail(folded)).toBe(folded)
})

test.each([
  ['adm\u0130n@example.com', 'admin@example.com'],
  ['adm\u0131n@example.com', 'admin@example.com'],
])('%s is not %s', (one, other) => {
  expect(foldEmail(one)).not.toBe(foldEmail(other))
  expect(foldEmail(foldEmail(one))).toBe(foldEmail(one))
})
