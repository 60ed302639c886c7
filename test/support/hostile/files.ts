import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { drawLots } from '../chance.ts'
import { blackPng, chunk, end, header, packedZeros, pngMagic, withChunks } from './png.ts'

export interface HostileFile {
  name: string
  bytes: Buffer
  /** `either`: what matters is only that nothing of the file itself is kept. */
  outcome: 'stored' | 'refused' | 'either'
}

/** Stands in every file that could carry text; it must never be found in what is kept. */
export const marker = 'HOSTILE-MARKER'

const script = `<script>${marker}</script>`
const text = (value: string) => Buffer.from(value)
const concat = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))

type Named = readonly (readonly [string, Buffer])[]
const all = (files: Named, outcome: HostileFile['outcome'], group: string): HostileFile[] =>
  files.map(([name, bytes]) => ({ name: `${group}: ${name}`, bytes, outcome }))

export async function hostileFiles(): Promise<HostileFile[]> {
  const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#4080c0' } })
  const samples: Samples = {
    png: await picture.clone().png().toBuffer(),
    jpeg: await picture.clone().jpeg().toBuffer(),
    gif: await picture.clone().gif().toBuffer(),
    webp: await picture.clone().webp().toBuffer(),
  }
  return [
    ...all(drawings(), 'refused', 'drawing'),
    ...all(documents(samples), 'refused', 'document'),
    ...all(await otherFormats(), 'refused', 'other format'),
    ...all(broken(samples), 'refused', 'broken'),
    ...all(await bombs(), 'refused', 'bomb'),
    ...all(await polyglots(samples), 'either', 'polyglot'),
    ...all(await heavyButFine(samples), 'stored', 'heavy'),
    ...all(sizes(samples), 'refused', 'size'),
  ]
}

interface Samples {
  png: Buffer
  jpeg: Buffer
  gif: Buffer
  webp: Buffer
}

function drawings(): Named {
  const svg = (inside: string, attributes = '') =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"${attributes}>${inside}</svg>`
  const laughs =
    '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>'
  return [
    ['plain', text(svg('<rect width="5" height="5"/>'))],
    ['with a script', text(svg(script))],
    ['with a handler', text(svg('', ` onload="${marker}"`))],
    ['with a prolog', text(`<?xml version="1.0"?>${svg(script)}`)],
    ['after a byte order mark', concat('\xef\xbb\xbf', svg(script))],
    ['after blanks', text(`\n\n   ${svg(script)}`)],
    ['after a comment', text(`<!-- ${'x'.repeat(4000)} -->${svg(script)}`)],
    ['with a foreign object', text(svg(`<foreignObject><body>${script}</body></foreignObject>`))],
    ['that fetches', text(svg('<image href="http://169.254.169.254/latest/meta-data/"/>'))],
    ['that reads a file', text(`<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`)],
    ['that explodes', text(`${laughs}${svg('<text>&c;</text>')}`)],
    ['compressed', gzipSync(svg(script))],
    ['in UTF-16', Buffer.from(`\ufeff${svg(script)}`, 'utf16le')],
  ]
}

function documents({ png }: Samples): Named {
  return [
    ['HTML', text(`<!doctype html><html><body>${script}</body></html>`)],
    ['HTML with an image inside', concat(`<html>${script}`, png)],
    ['PNG in words', text('PNG\r\n\x1a\nIHDR')],
    ['PHP', text(`<?php echo "${marker}";`)],
    ['JavaScript', text(`alert("${marker}")`)],
    ['JSON', text(`{"logo":"${marker}"}`)],
    ['PDF', text(`%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj % ${marker}\n%%EOF`)],
    ['PostScript', text(`%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(${marker}) show`)],
    [
      'ImageMagick script',
      text('push graphic-context\nviewbox 0 0 1 1\nimage over 0,0 0,0 "|id"\npop graphic-context'),
    ],
    ['ZIP', concat('PK\x03\x04', Buffer.alloc(40), marker)],
    ['7z', concat("7z\xbc\xaf'\x1c", Buffer.alloc(40))],
    ['gzip', gzipSync(Buffer.alloc(1000))],
    ['ELF program', concat('\x7fELF', Buffer.alloc(60))],
    ['Windows program', concat('MZ', Buffer.alloc(60))],
    ['shell script', text(`#!/bin/sh\necho ${marker}`)],
  ]
}

async function otherFormats(): Promise<Named> {
  const picture = sharp({ create: { width: 16, height: 16, channels: 3, background: 'red' } })
  const bmp = Buffer.alloc(70)
  bmp.write('BM', 'latin1')
  bmp.writeUInt32LE(70, 2)
  bmp.writeUInt32LE(54, 10)
  bmp.writeUInt32LE(40, 14)
  return [
    ['TIFF', await picture.clone().tiff().toBuffer()],
    ['AVIF', await picture.clone().avif().toBuffer()],
    ['HEIC', concat('\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic', Buffer.alloc(40))],
    ['BMP', bmp],
    ['icon', concat('\x00\x00\x01\x00\x01\x00\x10\x10\x00\x00\x01\x00\x20\x00', Buffer.alloc(60))],
    ['PSD', concat('8BPS\x00\x01', Buffer.alloc(60))],
    ['JPEG 2000', concat('\x00\x00\x00\x0cjP  \r\n\x87\n', Buffer.alloc(60))],
    ['JPEG XL', concat('\xff\x0a', Buffer.alloc(60))],
    ['portable pixmap', concat('P6 2 2 255\n', Buffer.alloc(12))],
    ['OpenEXR', concat('\x76\x2f\x31\x01', Buffer.alloc(60))],
    ['Radiance', text('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n....')],
    ['FITS', text('SIMPLE  =                    T')],
    ['vips', concat('\xb6\xa6\xf2\x08', Buffer.alloc(60))],
  ]
}

function broken(samples: Samples): Named {
  const noise = drawLots('noise').bytes(2000)
  const flipped = Buffer.from(samples.png)
  flipped[flipped.indexOf('IDAT') + 6] = (flipped[flipped.indexOf('IDAT') + 6] ?? 0) ^ 0xff
  return [
    ...Object.entries(samples).flatMap(([format, bytes]: [string, Buffer]) => [
      [`${format}, only the first bytes`, bytes.subarray(0, 12)] as const,
      [`${format}, half`, bytes.subarray(0, Math.floor(bytes.length / 2))] as const,
    ]),
    ['PNG, noise behind the magic', concat(pngMagic, noise)],
    ['JPEG, noise behind the magic', concat('\xff\xd8\xff', noise)],
    ['GIF, noise behind the magic', concat('GIF89a', Buffer.alloc(7), noise)],
    ['WebP, noise behind the magic', concat('RIFF\xff\x00\x00\x00WEBP', noise)],
    ['PNG, wrong pixels', flipped],
    ['PNG, no pixels', Buffer.concat([pngMagic, header({ width: 8, height: 8 }), end])],
    ['PNG, zero wide', Buffer.concat([pngMagic, header({ width: 0, height: 8 }), chunk('IDAT', deflateSync('')), end])],
    ['PNG, unknown colour type', Buffer.concat([pngMagic, header({ width: 8, height: 8, colourType: 5 }), end])],
  ]
}

/** Small files that want a great deal of memory. */
async function bombs(): Promise<Named> {
  const claims = (width: number, height: number) =>
    Buffer.concat([pngMagic, header({ width, height }), chunk('IDAT', deflateSync(Buffer.alloc(1000))), end])
  return [
    ['PNG of 40000 x 40000, one bit', await blackPng({ width: 40_000, height: 40_000, bitDepth: 1, colourType: 0 })],
    [
      'PNG of 30000 x 10000, interlaced',
      await blackPng({ width: 30_000, height: 10_000, colourType: 0, interlace: 1 }),
    ],
    ['PNG of 5000 x 5000 in 16 bit', await blackPng({ width: 5000, height: 5000, bitDepth: 16, colourType: 6 })],
    ['PNG that claims 2147483647 x 2147483647', claims(2_147_483_647, 2_147_483_647)],
    ['PNG that claims 65500 x 65500', claims(65_500, 65_500)],
    ['PNG of 1 x 17000000', claims(1, 17_000_000)],
    ['JPEG that claims 65500 x 65500', hugeJpeg()],
    [
      'GIF that claims 65535 x 65535',
      concat(
        'GIF89a\xff\xff\xff\xff\x80\x00\x00',
        Buffer.alloc(6),
        ',\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x02L\x01\x00;',
      ),
    ],
    [
      'WebP that claims 16383 x 16383',
      concat('RIFF\x1e\x00\x00\x00WEBPVP8L\x11\x00\x00\x00\x2f\xfe\xff\xff\x0f', Buffer.alloc(13)),
    ],
  ]
}

/** A real frame header with the largest sides, and hardly any data behind it. */
function hugeJpeg(): Buffer {
  const quantisation = concat('\xff\xdb\x00\x43\x00', Buffer.alloc(64, 1))
  const frame = concat('\xff\xc0\x00\x0b\x08\xff\xdc\xff\xdc\x01\x01\x11\x00')
  const scan = concat('\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00')
  return concat('\xff\xd8', quantisation, frame, scan, Buffer.alloc(100), '\xff\xd9')
}

async function polyglots({ png, jpeg, gif, webp }: Samples): Promise<Named> {
  const comment = (words: string) => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(words.length + 2)
    return concat('\xff\xfe', length, words)
  }
  const described = (format: 'png' | 'jpeg' | 'webp') =>
    sharp(png)
      .withExif({ IFD0: { Copyright: marker, ImageDescription: script }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .toFormat(format)
      .toBuffer()
  return [
    ['PNG before HTML', concat(png, `<html>${script}`)],
    ['PNG before ZIP', concat(png, 'PK\x03\x04', marker, 'PK\x05\x06', Buffer.alloc(18))],
    ['PNG before PDF', concat(png, `%PDF-1.4 ${marker}`)],
    ['PNG with PHP in a text', withChunks(png, [chunk('tEXt', text(`Comment\0<?php ${marker} ?>`))])],
    ['PNG with a script in XMP', withChunks(png, [chunk('iTXt', text(`XML:com.adobe.xmp\0\0\0\0\0${script}`))])],
    ['PNG with an unknown chunk', withChunks(png, [chunk('evIl', text(script))])],
    ['PNG with a false profile', withChunks(png, [chunk('iCCP', concat('x\0\0', deflateSync(text(marker))))])],
    ['JPEG before ZIP', concat(jpeg, 'PK\x03\x04', marker)],
    ['JPEG before HTML', concat(jpeg, script)],
    ['JPEG with a script in a comment', concat(jpeg.subarray(0, 2), comment(script), jpeg.subarray(2))],
    ['GIF before JavaScript', concat(gif, `;alert("${marker}")`)],
    ['GIF that is JavaScript', concat('GIF89a/*', Buffer.alloc(200), `*/=1;alert("${marker}")`)],
    [
      'GIF with a script in a comment',
      concat(gif.subarray(0, 13), `!\xfe${String.fromCharCode(script.length)}${script}\0`, gif.subarray(13)),
    ],
    ['WebP before HTML', concat(webp, script)],
    ['PNG with EXIF and a place', await described('png')],
    ['JPEG with EXIF and a place', await described('jpeg')],
    ['WebP with EXIF and a place', await described('webp')],
    [
      'PNG with a text that unpacks to 50 MB',
      withChunks(png, [chunk('zTXt', concat('x\0\0', await packedZeros(50_000_000)))]),
    ],
    [
      'PNG with a profile that unpacks to 50 MB',
      withChunks(png, [chunk('iCCP', concat('x\0\0', await packedZeros(50_000_000)))]),
    ],
  ]
}

async function heavyButFine({ png }: Samples): Promise<Named> {
  const frames = Buffer.alloc(40 * 40 * 300 * 3, 7)
  const animation = sharp(frames, { raw: { width: 40, height: 40 * 300, channels: 3, pageHeight: 40 } })
  return [
    [
      'the largest PNG allowed, 16 bit, interlaced',
      await blackPng({ width: 4000, height: 3000, bitDepth: 16, colourType: 6, interlace: 1 }),
    ],
    ['a line of 1 x 16000', await blackPng({ width: 1, height: 16_000 })],
    ['an animation of 300 pictures', await animation.gif().toBuffer()],
    ['an animated WebP', await animation.webp().toBuffer()],
    [
      'with alpha',
      await sharp({ create: { width: 2000, height: 1000, channels: 4, background: '#12345678' } })
        .png()
        .toBuffer(),
    ],
    ['CMYK', await sharp(png).toColourspace('cmyk').jpeg().toBuffer()],
    ['one pixel', await blackPng({ width: 1, height: 1 })],
  ]
}

function sizes({ png }: Samples): Named {
  return [
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.alloc(1)],
    ['PNG with a tail, 2048 kilobytes and one byte', concat(png, Buffer.alloc(2048 * 1024 + 1 - png.length))],
    ['PNG with a tail, three megabytes', concat(png, Buffer.alloc(3_000_000 - png.length))],
    ['zeros, three megabytes', Buffer.alloc(3_000_000)],
  ]
}
