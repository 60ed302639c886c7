import { asName, type Letter } from '../mail/letter.ts'

/** What people are told about their passwords: of which company's account, because one address may have several. */

const account = (company: string | null) => `your account at Entrepot${company === null ? '' : ` (${asName(company)})`}`

interface Reset {
  to: string
  url: string
  by: string | null
  company: string | null
}

export const resetLetter = ({ to, url, by, company }: Reset): Letter => ({
  to,
  subject: 'Choose a new password',
  paragraphs: [
    by === null
      ? `Somebody has asked for a new password for ${account(company)}.`
      : `${asName(by)} has made a link for you, by which you choose a new password for ${account(company)}.`,
  ],
  link: { label: 'Choose a new password', url },
  small: [
    'The link is good once, for 30 minutes. If you do not want a new password, there is nothing you have to do: the old one stays.',
  ],
})

interface Changed {
  to: string
  publicUrl: string
  company: string | null
  how: string
  address?: string
}

export const passwordChanged = ({ to, publicUrl, company, how, address }: Changed): Letter => ({
  to,
  subject: 'Your password was changed',
  paragraphs: [
    `The password of ${account(company)} was changed at ${publicUrl} ${how}${address ? `, from the address ${address}` : ''}. Whoever was signed in with the old one no longer is.`,
    'If that was you, there is nothing you have to do. If it was not, choose another one now, and tell whoever manages your team.',
  ],
  link: { label: 'Choose another password', url: `${publicUrl}/console/forgotten-password` },
})
