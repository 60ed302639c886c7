import { de } from './de.ts'
import { en, type Words } from './en.ts'

export type { Words } from './en.ts'

const languages: Readonly<Record<string, Words>> = { en, de }

/** `de-AT` is German to us; what we have no words for is English. */
export const wordsFor = (language: string): Words => languages[language.toLowerCase().split('-')[0] ?? ''] ?? en
