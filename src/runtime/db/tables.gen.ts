// Made by `npm run gen` from the migrated database. Do not edit.

// biome-ignore lint/complexity/noBannedTypes: there is no table yet.
export type Tables = {}
