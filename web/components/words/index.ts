import { en, type Words } from './en.ts'
import { otherLanguages } from './languages.ts'

export type { Words } from './en.ts'

const loaded = new Map<string, Words>([['en', en]])
const loading = new Map<string, Promise<void>>()

/** `de-AT` is German to us. */
const codeOf = (language: string): string => language.toLowerCase().split('-')[0] ?? ''

/** What we have no words for, or not yet, is English. */
export const wordsFor = (language: string): Words => loaded.get(codeOf(language)) ?? en

/** Null where there is nothing to wait for. What cannot be fetched stays English. */
export function loadWords(language: string): Promise<void> | null {
  const code = codeOf(language)
  if (loaded.has(code) || !otherLanguages.some((one) => one === code)) return null
  const begun = loading.get(code)
  if (begun) return begun
  const fetched = import(/* @vite-ignore */ beside(`words-${code}.js`, `./${code}.ts`)).then(
    ({ words }: { words: Words }) => void loaded.set(code, words),
    () => void loaded.set(code, en),
  )
  loading.set(code, fetched)
  return fetched
}

/** Under another name than the bundler's, which would put every language into the elements. */
const here = import.meta.url

/** A file beside the elements; the console's own copy of them lies elsewhere, and sources are asked for as such. */
export function beside(file: string, source: string): string {
  if (/\.ts(?:\?|$)/.test(here)) return new URL(source, here).href
  const folder = new URL(here).pathname.startsWith('/assets/') ? '/components' : '.'
  return new URL(`${folder}/${file}`, here).href
}
