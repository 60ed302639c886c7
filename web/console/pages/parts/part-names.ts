/** Every part that `/console/_parts` shows, in its order. Each has a picture in `web/DESIGN.md`. */
export const partNames = [
  'colours',
  'type',
  'buttons',
  'menu',
  'badge',
  'notice',
  'fields',
  'combobox',
  'schema-form',
  'table',
  'pager',
  'empty',
  'problem',
  'progress',
  'time-and-copy',
  'chart',
  'timeline',
  'dialog',
  'toast',
] as const

export type PartName = (typeof partNames)[number]
