/** English comes with the elements; each of these is a file of its own, fetched when an element needs it. */
export const otherLanguages = ['de', 'es', 'fr', 'it', 'nl', 'pl'] as const
