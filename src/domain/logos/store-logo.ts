import { invalid, invalidField } from '../../lib/fault.ts'
import { randomSecret } from '../../lib/secret.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { type EncodedLogo, encodeLogo } from './encode-logo.ts'
import { type Logo, type LogoFormat, logoFormat, maxLogoBytes, type UploadedFile } from './logo.ts'
import { deleteLogo, insertLogo } from './logo-store.ts'

/** Puts the name on the record that shows the logo, and answers with the name that was there before. */
export type AttachLogo = (trx: Db, name: string) => Promise<string | null>

/** Checks, re-encodes and keeps a logo; the one it replaces goes in the same transaction. */
export async function storeLogo(
  context: Pick<Context, 'transaction'>,
  file: UploadedFile | null,
  attach: AttachLogo,
): Promise<Logo> {
  const { bytes, extension, ...facts } = await accept(file)
  return await context.transaction(async (trx) => {
    const name = `${randomSecret()}.${extension}`
    const logo = await insertLogo(trx, { ...facts, name, size: bytes.length, bytes })
    const previous = await attach(trx, name)
    if (previous !== null) await deleteLogo(trx, previous)
    return logo
  })
}

/** The record goes without one, as it did before. */
export async function dropLogo(
  context: Pick<Context, 'transaction'>,
  detach: (trx: Db, name: null) => Promise<string | null>,
): Promise<void> {
  await context.transaction(async (trx) => {
    const previous = await detach(trx, null)
    if (previous !== null) await deleteLogo(trx, previous)
  })
}

async function accept(file: UploadedFile | null): Promise<EncodedLogo> {
  if (!file) throw invalidField('logo', 'The logo field is required.')
  const encoding = await encodeLogo(file.bytes, acceptedFormat(file.bytes))
  if (encoding.ok) return encoding.logo
  if (encoding.problem === 'not_an_image') throw invalid({ logo: notAnImage })
  throw invalidField('logo', 'The logo field has invalid image dimensions.')
}

function acceptedFormat(bytes: Buffer): LogoFormat {
  const format = logoFormat(bytes)
  const tooLarge = bytes.length > maxLogoBytes ? ['The logo field must not be greater than 2048 kilobytes.'] : []
  if (format === null) throw invalid({ logo: [...notAnImage, ...tooLarge] })
  if (tooLarge.length > 0) throw invalid({ logo: tooLarge })
  return format
}

const notAnImage = ['The logo field must be an image.', 'The logo field must be a file of type: jpeg, png, gif, webp.']
