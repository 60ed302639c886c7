/**
 * Whether what has come is older than what we hold. Versions grow with every change in the shop and compare as text
 * (`remote_version` in `src/commerce`). Without a version on either side nothing can be said: then the later arrival
 * counts.
 */
export const isOlderVersion = (come: string | null, held: string | null): boolean =>
  come !== null && held !== null && come < held
