/** An uploaded picture as we keep it: decoded once and written anew, under a name that nobody can guess. */
export interface Logo {
  id: number
  name: string
  mime_type: string
  width: number
  height: number
  size: number
}

/** What came in. The file's own name is never used. */
export interface UploadedFile {
  bytes: Buffer
}

export type LogoFormat = 'jpeg' | 'png' | 'gif' | 'webp'

export const maxLogoBytes = 2048 * 1024
export const maxLogoPixels = 4000 * 3000
export const maxLogoSide = 1024

/** Known by the first bytes; neither the file's name nor the type it claims to be says anything. */
export function logoFormat(bytes: Buffer): LogoFormat | null {
  const starts = (at: number, text: string) => bytes.toString('latin1', at, at + text.length) === text
  if (starts(0, '\x89PNG\r\n\x1a\n')) return 'png'
  if (starts(0, '\xff\xd8\xff')) return 'jpeg'
  if (starts(0, 'GIF87a') || starts(0, 'GIF89a')) return 'gif'
  if (starts(0, 'RIFF') && starts(8, 'WEBP')) return 'webp'
  return null
}

/** Where a browser finds it. */
export const logoUrl = (publicUrl: string, name: string): string => `${publicUrl}/logos/${name}`
