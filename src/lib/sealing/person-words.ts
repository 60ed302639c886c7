import { foldEmail } from '../identity/fold-email.ts'

/** What somebody is looked for by; each may be left out. */
export interface PersonSought {
  email?: string | null | undefined
  phone?: string | null | undefined
  /** Every word of it counts, in any order. */
  name?: string | null | undefined
  /** The shop's own id of the customer. */
  remoteId?: string | null | undefined
}

/** Letters that do not come apart into a plain one and a mark. */
const letters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th' }

export const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþ]/g, (letter) => letters[letter] ?? letter)

/** A word for each thing that somebody is known by, folded, so that whoever writes it otherwise finds the same. */
export function wordsOfPerson({ email, phone, name, remoteId }: PersonSought): string[] {
  const digits = (phone ?? '').normalize('NFKC').replace(/\D/g, '').replace(/^0+/, '')
  const names = foldName(name ?? '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
  return [
    ...(email?.trim() ? [`email ${foldEmail(email.trim())}`] : []),
    ...(digits ? [`phone ${digits}`] : []),
    ...names.map((word) => `name ${word}`),
    ...(remoteId ? [`id ${remoteId}`] : []),
  ]
}
