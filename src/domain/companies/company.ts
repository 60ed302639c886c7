import type { UserTenant } from '../tenant.ts'

export interface Company {
  id: number
  user_id: number | null
  name: string
  email: string | null
  phone: string | null
  website: string | null
  country: string | null
  active: boolean
  created_at: string
  updated_at: string
}

export interface CompanyInput {
  name: string
  email?: string | null
  phone?: string | null
  website?: string | null
  country?: string | null
  active?: boolean
}

/** Members see it, and until it has one whoever made it. */
export const seesCompany = (
  tenant: UserTenant,
  company: Pick<Company, 'id' | 'user_id'> & { empty: boolean },
): boolean => tenant.admin || company.id === tenant.companyId || (company.empty && company.user_id === tenant.userId)
