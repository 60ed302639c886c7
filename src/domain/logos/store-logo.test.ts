import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { faultOf } from '../../../test/support/identity.ts'
import { readLogo } from './logo-store.ts'
import { storeLogo } from './store-logo.ts'

let it: TestContext

beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#4080c0' } })
const texts = async (bytes: Buffer | null) =>
  (await faultOf(storeLogo(it.context, bytes && { bytes }, async () => null))).errors

test('a picture is kept, at most 1024 wide and high', async () => {
  const bytes = await picture(3000, 1500).png().toBuffer()
  const logo = await storeLogo(it.context, { bytes }, async () => null)
  expect(logo).toMatchObject({ mime_type: 'image/png', width: 1024, height: 512 })
  const kept = await readLogo(it.context.db, logo.name)
  expect(kept?.bytes.length).toBe(logo.size)
  expect(logo.name).toMatch(/^[A-Za-z0-9]{43}\.png$/)
})

test.each(['jpeg', 'gif', 'webp'] as const)('a %s becomes WebP', async (format) => {
  const bytes = await picture(20, 10).toFormat(format).toBuffer()
  const logo = await storeLogo(it.context, { bytes }, async () => null)
  expect(logo).toMatchObject({ mime_type: 'image/webp', width: 20, height: 10 })
})

test('a picture that lies on its side is turned', async () => {
  const bytes = await picture(20, 10).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect(await storeLogo(it.context, { bytes }, async () => null)).toMatchObject({ width: 10, height: 20 })
})

test('the logo before goes when the new one comes', async () => {
  const bytes = await picture(5, 5).png().toBuffer()
  const first = await storeLogo(it.context, { bytes }, async () => null)
  const second = await storeLogo(it.context, { bytes }, async () => first.name)
  expect(await readLogo(it.context.db, first.name)).toBeUndefined()
  expect(await readLogo(it.context.db, second.name)).toBeDefined()
})

test('nothing is kept, and nothing goes, when the record cannot take it', async () => {
  const bytes = await picture(5, 5).png().toBuffer()
  const first = await storeLogo(it.context, { bytes }, async () => null)
  const count = async () => (await it.context.db.selectFrom('logos').select('id').execute()).length
  const before = await count()
  const refusal = storeLogo(it.context, { bytes }, async () => {
    throw new Error('gone')
  })
  await expect(refusal).rejects.toThrow('gone')
  expect(await count()).toBe(before)
  expect(await readLogo(it.context.db, first.name)).toBeDefined()
})

test('the texts of refusal', async () => {
  const notAnImage = [
    'The logo field must be an image.',
    'The logo field must be a file of type: jpeg, png, gif, webp.',
  ]
  const tooLarge = 'The logo field must not be greater than 2048 kilobytes.'
  const png = await picture(5, 5).png().toBuffer()
  const wide = await picture(4001, 3000).png().toBuffer()
  expect(await texts(null)).toEqual({ logo: ['The logo field is required.'] })
  expect(await texts(Buffer.from('<svg/>'))).toEqual({ logo: notAnImage })
  expect(await texts(png.subarray(0, 40))).toEqual({ logo: notAnImage })
  expect(await texts(Buffer.concat([png, Buffer.alloc(2048 * 1024)]))).toEqual({ logo: [tooLarge] })
  expect(await texts(Buffer.alloc(2_500_000))).toEqual({ logo: [...notAnImage, tooLarge] })
  expect(await texts(wide)).toEqual({ logo: ['The logo field has invalid image dimensions.'] })
})

test('many at once wait for each other, and too many have to come back', async () => {
  const bytes = await picture(800, 800).jpeg().toBuffer()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, () => storeLogo(it.context, { bytes }, async () => null)),
  )
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(outcomes.length - refused.length).toBe(17)
  expect(refused.every((outcome) => outcome.reason.kind === 'unavailable')).toBe(true)
})
