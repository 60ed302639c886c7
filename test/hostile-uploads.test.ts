import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxLogoSide } from '../src/domain/logos/logo.ts'
import { storeLogo } from '../src/domain/logos/store-logo.ts'
import { Fault } from '../src/lib/fault.ts'
import { createTestContext, type TestContext } from './support/context.ts'
import { type HostileFile, hostileFiles, marker } from './support/hostile/files.ts'

let it: TestContext
let files: HostileFile[]

beforeAll(async () => {
  it = await createTestContext()
  files = await hostileFiles()
})

afterAll(() => it.close())

const stored = async () => await it.context.db.selectFrom('logos').selectAll().execute()

const outcomeOf = async (file: HostileFile): Promise<string> => {
  try {
    await storeLogo(it.context, file, async () => null)
    return 'stored'
  } catch (error) {
    return error instanceof Fault && error.kind === 'invalid' ? 'refused' : String(error)
  }
}

describe('hostile uploads', () => {
  test('every file is either refused with a reason or drawn anew, within 256 MB', async () => {
    expect(files.length).toBeGreaterThanOrEqual(60)
    const before = process.memoryUsage.rss()
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss())
    }, 2)
    const wrong: string[] = []
    for (const file of files) {
      const outcome = await outcomeOf(file)
      const fine = outcome === file.outcome || (file.outcome === 'either' && /^(stored|refused)$/.test(outcome))
      if (!fine) wrong.push(`${file.name} was ${outcome}`)
    }
    clearInterval(watch)
    expect(wrong).toEqual([])
    expect((peak - before) / 1e6).toBeLessThan(256)
  })

  test('what is kept is a plain picture that holds nothing of the file', async () => {
    const logos = await stored()
    expect(logos.length).toBeGreaterThan(10)
    for (const logo of logos) {
      const facts = await sharp(logo.bytes).metadata()
      expect(logo.name).toMatch(/^[A-Za-z0-9]{43}\.(png|webp)$/)
      expect(logo.mime_type).toBe(`image/${facts.format}`)
      expect(logo.name.endsWith(`.${facts.format}`)).toBe(true)
      expect([facts.width, facts.height, logo.bytes.length]).toEqual([logo.width, logo.height, logo.size])
      expect(Math.max(logo.width, logo.height)).toBeLessThanOrEqual(maxLogoSide)
      expect([facts.exif, facts.xmp, facts.icc, facts.iptc, facts.comments]).toEqual(Array(5).fill(undefined))
      expect(logo.bytes.includes(marker)).toBe(false)
      expect(facts.pages ?? 1).toBe(1)
    }
  })
})
