/** Something that takes long to show, so that `npm test` shows it with small figures only. */
export interface Proof {
  name: string
  /** What must hold, in words and full figures. */
  asked: string
  /** What it needs and is not given: then it cannot be run here. */
  missing(): string | null
  /** `other` figures than those of the size: to look at something closely. */
  run(size: 'full' | 'quick', lab: Lab, other?: Readonly<Record<string, unknown>>): Promise<Outcome>
}

export interface Outcome {
  measured: string
  pass: boolean
}

export interface Lab {
  /** Says how far it is: done of all. */
  progress(text: string, done?: number, all?: number): void
  /** A database of one's own on a server that others use too: all tables and no rows, or nothing at all. */
  database(state: 'migrated' | 'empty'): Promise<string>
}

interface Definition<Figures> {
  name: string
  asked: string
  missing?(): string | null
  full: Figures
  /** The same at a size that keeps it alive in `npm test`. */
  quick: Figures
  run(figures: Figures, lab: Lab): Promise<Outcome>
}

export const proof = <Figures>({ name, asked, missing = () => null, run, ...figures }: Definition<Figures>): Proof => ({
  name,
  asked,
  missing,
  run: (size, lab, other = {}) => run({ ...figures[size], ...other }, lab),
})
