import { type Static, Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import { type Logo, logoUrl } from '../../../domain/logos/logo.ts'
import { idField } from './record.ts'

export const logoSchema = Type.Object({
  id: idField,
  url: Type.String(),
  mime_type: Type.String({ description: 'image/png or image/webp: every image is re-encoded' }),
  size: Type.Integer({ description: 'Bytes' }),
})

export const logoView = (context: Pick<Context, 'publicUrl'>, logo: Logo): Static<typeof logoSchema> => ({
  id: logo.id,
  url: logoUrl(context.publicUrl, logo.name),
  mime_type: logo.mime_type,
  size: logo.size,
})

/** What a record shows as its `logo`. */
export const logoOf = (context: Pick<Context, 'publicUrl'>, name: string | null): string | null =>
  name === null ? null : logoUrl(context.publicUrl, name)

/** The body a logo comes in: the file itself is at most 2 MiB, the rest is what a form puts around it. */
export const logoUpload = { bodyType: 'upload', bodyLimit: 3 * 1024 * 1024 } as const

/** The picture that a connector brings along; see `catalogue-page.ts`. */
export const catalogueLogoUrl = ({ publicUrl }: Pick<Context, 'publicUrl'>, type: string): string =>
  `${publicUrl}/catalogue/${type}.svg`
