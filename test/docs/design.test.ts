import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { partNames } from '../../web/console/pages/parts/part-names.ts'

/** `web/DESIGN.md` shows every part of `/console/_parts`. */

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'docs/pictures/parts')
const shown = [
  ...readFileSync(join(root, 'web/DESIGN.md'), 'utf8').matchAll(
    /!\[[^\]]+, light and dark\]\(\.\.\/docs\/pictures\/parts\/([\w-]+)\.webp\)/g,
  ),
].map(([, name = '']) => name)

test('each part has its picture, and each picture its part', () => {
  expect(shown).toEqual([...partNames])
  expect(readdirSync(folder).toSorted()).toEqual(partNames.map((name) => `${name}.webp`).toSorted())
})

test.each(partNames)('the picture of %s shows it in light and in dark', async (name) => {
  const file = join(folder, `${name}.webp`)
  expect(existsSync(file)).toBe(true)
  const { width, height } = await sharp(file).metadata()
  const brightness = async (left: number) => {
    const half = await sharp(file)
      .extract({ left, top: 0, width: Math.floor(width / 2) - 16, height })
      .flatten({ background: '#808080' })
      .png()
      .toBuffer()
    const { channels } = await sharp(half).stats()
    return channels.slice(0, 3).reduce((sum, { mean }) => sum + mean / 3, 0)
  }
  expect(await brightness(8)).toBeGreaterThan((await brightness(Math.ceil(width / 2) + 8)) + 60)
})

test('all of them together weigh less than half a megabyte', () => {
  const bytes = partNames.reduce((sum, name) => sum + statSync(join(folder, `${name}.webp`)).size, 0)
  expect(bytes).toBeLessThan(500_000)
})
