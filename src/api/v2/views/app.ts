import { type Static, Type } from 'typebox'
import type { App } from '../../../domain/apps/app.ts'
import type { Context } from '../../../domain/context.ts'
import { nullable } from '../../../lib/validation/fields.ts'
import { logoOf } from './logo.ts'
import { idField, nullableId, nullableText, timestamps } from './record.ts'

const publicFields = {
  id: idField,
  name: Type.String(),
  description: nullableText,
  url: nullableText,
  logo: nullableText,
  accent: nullable(
    Type.String({
      description: 'Colour as `#rrggbb`, on the pages that merchants see before and after a platform (extension)',
    }),
  ),
  active: Type.Boolean(),
}

const publicValues = (context: Pick<Context, 'publicUrl'>, app: App) => ({
  id: app.id,
  name: app.name,
  description: app.description,
  url: app.url,
  logo: logoOf(context, app.logo),
  accent: app.accent,
  active: app.active,
})

export const appSchema = Type.Object({
  ...publicFields,
  mutable: Type.Boolean(),
  user_id: nullableId,
  company_id: nullableId,
  return_urls: Type.Array(Type.String(), {
    description: 'Where a browser may be sent back to after an installation, compared exactly',
  }),
  ...timestamps,
})

export const appView = (context: Pick<Context, 'publicUrl'>, app: App): Static<typeof appSchema> => ({
  ...publicValues(context, app),
  mutable: app.mutable,
  user_id: app.user_id,
  company_id: app.company_id,
  return_urls: app.return_urls,
  created_at: app.created_at,
  updated_at: app.updated_at,
})

/** What a browser needs to show whose component this is, and no more. */
export const publicAppSchema = Type.Object({ ...publicFields, ...timestamps })

export const publicAppView = (context: Pick<Context, 'publicUrl'>, app: App): Static<typeof publicAppSchema> => ({
  ...publicValues(context, app),
  created_at: app.created_at,
  updated_at: app.updated_at,
})
