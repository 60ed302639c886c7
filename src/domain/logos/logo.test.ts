import { expect, test } from 'vitest'
import { logoFormat, logoUrl, maxLogoBytes, maxLogoPixels, maxLogoSide } from './logo.ts'

test.each([
  ['png', '\x89PNG\r\n\x1a\n...'],
  ['jpeg', '\xff\xd8\xff\xe0...'],
  ['gif', 'GIF87a...'],
  ['gif', 'GIF89a...'],
  ['webp', 'RIFF\x00\x01\x02\x03WEBPVP8 '],
  [null, 'RIFF\x00\x01\x02\x03WAVEfmt '],
  [null, 'XXXX\x00\x01\x02\x03WEBPVP8 '],
  [null, 'GIF90a...'],
  [null, '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  [null, ' GIF89a'],
  [null, '..\x89PNG\r\n\x1a\n'],
  [null, 'PNG'],
  [null, ''],
])('a picture is known by its first bytes: %s', (format, bytes) => {
  expect(logoFormat(Buffer.from(bytes, 'latin1'))).toBe(format)
})

test('a picture has two megabytes, twelve million points and a side of 1024 at most', () => {
  expect([maxLogoBytes, maxLogoPixels, maxLogoSide]).toEqual([2_097_152, 12_000_000, 1024])
})

test('a browser finds it below the address of the service', () => {
  expect(logoUrl('https://entrepot.example', 'x1.png')).toBe('https://entrepot.example/logos/x1.png')
})
