import { boundedPool } from '../../lib/bounded-pool.ts'
import { type LogoFormat, maxLogoPixels, maxLogoSide } from './logo.ts'

export interface EncodedLogo {
  bytes: Buffer
  mime_type: 'image/png' | 'image/webp'
  extension: 'png' | 'webp'
  width: number
  height: number
}

export type Encoding = { ok: true; logo: EncodedLogo } | { ok: false; problem: 'not_an_image' | 'too_many_pixels' }

/**
 * Decodes the first picture of a file and writes it anew, so that nothing of the file itself is kept: no metadata, no
 * second format hidden behind the first, no script. One at a time, because a picture takes many times the memory of its
 * file.
 */
export const encodeLogo = (bytes: Buffer, format: LogoFormat): Promise<Encoding> =>
  oneByOne(() => encode(bytes, format))

const oneByOne = boundedPool({ running: 1, waiting: 16 })

async function encode(bytes: Buffer, format: LogoFormat): Promise<Encoding> {
  const sharp = await decoder()
  try {
    const picture = sharp(bytes, { failOn: 'error', limitInputPixels: maxLogoPixels, pages: 1, unlimited: false })
    const { width, height, format: found } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (found !== format) return { ok: false, problem: 'not_an_image' }
    if (width * height > maxLogoPixels) return { ok: false, problem: 'too_many_pixels' }
    const fitted = picture
      .timeout({ seconds: 30 })
      .autoOrient()
      .resize({ width: maxLogoSide, height: maxLogoSide, fit: 'inside', withoutEnlargement: true })
    const type = format === 'png' ? 'png' : 'webp'
    const written = type === 'png' ? fitted.png({ compressionLevel: 9 }) : fitted.webp({ quality: 90 })
    const { data, info } = await written.toBuffer({ resolveWithObject: true })
    return {
      ok: true,
      logo: { bytes: data, mime_type: `image/${type}`, extension: type, width: info.width, height: info.height },
    }
  } catch {
    return { ok: false, problem: 'not_an_image' }
  }
}

type Decoder = typeof import('sharp')['default']
let loaded: Promise<Decoder> | undefined

/** Loaded when the first logo comes: the library takes tens of megabytes, and most processes never see a logo. */
function decoder(): Promise<Decoder> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    // Everything that can be decoded can be attacked: SVG, TIFF, PDF and the rest are not even tried.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({
      operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
    })
    return sharp
  })
  return loaded
}
