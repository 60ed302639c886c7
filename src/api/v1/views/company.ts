import { type Static, Type } from 'typebox'
import type { Company } from '../../../domain/companies/company.ts'
import { idField, nullableText, timestamps } from '../../v2/views/record.ts'

export const companySchema = Type.Object({
  id: idField,
  name: Type.String(),
  email: nullableText,
  phone: nullableText,
  website: nullableText,
  country: nullableText,
  active: Type.Boolean(),
  ...timestamps,
})

export const companyView = (company: Company): Static<typeof companySchema> => ({
  id: company.id,
  name: company.name,
  email: company.email,
  phone: company.phone,
  website: company.website,
  country: company.country,
  active: company.active,
  created_at: company.created_at,
  updated_at: company.updated_at,
})
