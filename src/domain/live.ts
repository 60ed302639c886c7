/** Something that has just happened in an app, as those who watch it are shown it. */
export interface LiveEvent {
  /** By it a stream that was cut is taken up again: the time, by the database's clock, up to which everything was looked at. */
  id: string
  /**
   * `orders`: some orders of a shop, old ones too, or what was done about them; whoever shows one looks at it again. `gap`: more happened
   * meanwhile than is told; look at everything again.
   */
  type: 'run' | 'order' | 'orders' | 'shop' | 'gap'
  data: object
}

export interface Watcher {
  userId: number
  appId: number
  /** Who may not read orders hears of none. */
  readsOrders: boolean
  /** The id of the last event that arrived, where a stream is taken up again. */
  since: string | null
}

/** What is happening in apps, for those who watch. */
export interface Live {
  /** The latest, oldest first. */
  latest(watcher: Watcher): Promise<LiveEvent[]>
  /** Begins with the latest; throws where somebody, or this process, watches too much already. */
  follow(watcher: Watcher, tell: (event: LiveEvent) => void): { stop(): void }
  /** What somebody's right to watch rests on has changed (`user:7`): whoever still lets them watch asks again. */
  onRightsChanged(handler: (whose: string) => void): { stop(): void }
}
