import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { proofs } from '../prove/index.ts'

/** `docs/proofs.md` is written proof by proof: nothing in it is of one that is gone, and none is left out. */
test('each proof has its row, and each row its proof', () => {
  const text = readFileSync(new URL('../../docs/proofs.md', import.meta.url), 'utf8')
  const [table = ''] = text.split('## Mutation score')
  const rows = [...table.matchAll(/^\| (?!Proof |---|real )([^|,]+?)(?:, pooled)? \|/gm)].map(([, name = '']) => name)
  expect(new Set(rows)).toEqual(new Set(proofs.map(({ name }) => name)))
})
