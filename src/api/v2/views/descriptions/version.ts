import { type Static, Type } from 'typebox'
import type { ServiceVersion, WholeVersion } from '../../../../domain/services/versions/version-store.ts'
import { nullable } from '../../../../lib/validation/fields.ts'
import { timestamp } from '../record.ts'

export const versionSchema = Type.Object({
  number: Type.Integer(),
  present: Type.Boolean({ description: 'Whether this is what counts now.' }),
  published_at: timestamp,
  published_by: nullable(Type.Object({ id: Type.Integer(), name: nullable(Type.String()) })),
  restored_from: nullable(Type.Integer({ description: 'The version that it took up again.' })),
})

export const wholeVersionSchema = Type.Object({
  ...versionSchema.properties,
  definition: Type.Record(Type.String(), Type.Unknown()),
  differences: Type.Array(Type.Object({ at: Type.String(), before: Type.Unknown(), after: Type.Unknown() }), {
    description: 'Place by place: in this version, and as it is published now. At most 500.',
  }),
})

export const versionView = (version: ServiceVersion): Static<typeof versionSchema> => ({
  number: version.number,
  present: version.present,
  published_at: version.created_at,
  published_by: version.user_id === null ? null : { id: version.user_id, name: version.user_name },
  restored_from: version.restored_from,
})

export const wholeVersionView = (
  version: WholeVersion,
  differences: Static<typeof wholeVersionSchema>['differences'],
): Static<typeof wholeVersionSchema> => ({
  ...versionView(version),
  definition: Object(version.definition),
  differences,
})
