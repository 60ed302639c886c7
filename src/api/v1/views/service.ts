import { type Static, Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import type { Service } from '../../../domain/services/service.ts'
import { idField, nullableId, nullableText } from '../../v2/views/record.ts'
import { serviceSchema as catalogueSchema, serviceView as catalogueView, serviceLogo } from '../../v2/views/service.ts'

/** Version 1.0 is where services are made, so it also shows whose they are. */
export const serviceSchema = Type.Object({
  ...catalogueSchema.properties,
  definition: Type.Unsafe<unknown>({
    type: ['object', 'null'],
    description: 'How to call its shops, for services that are described rather than built in',
  }),
  user_id: nullableId,
  company_id: nullableId,
})

export const serviceView = (
  context: Pick<Context, 'publicUrl' | 'connectors'>,
  service: Service,
): Static<typeof serviceSchema> => ({
  ...catalogueView(context, service),
  definition: service.definition,
  user_id: service.user_id,
  company_id: service.company_id,
})

export const serviceLogoSchema = Type.Object({
  id: idField,
  type: Type.String(),
  name: Type.String(),
  logo: nullableText,
})

export const serviceLogoView = (
  context: Pick<Context, 'publicUrl' | 'connectors'>,
  service: Service,
): Static<typeof serviceLogoSchema> => ({
  id: service.id,
  type: service.type,
  name: service.name,
  logo: serviceLogo(context, service),
})
