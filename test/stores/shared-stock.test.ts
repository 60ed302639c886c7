import { describe } from 'vitest'
import { medusaFloor, vendureFloor } from './floors.ts'
import { startStore } from './kit.ts'
import { shareStock } from './share-stock.ts'

describe('one stock over a real Vendure and a real Medusa', () => {
  shareStock(async () => {
    const vendure = await startStore('vendure', '@vendure/core')
    const medusa = await startStore('medusa', '@medusajs/medusa')
    const at = (store: typeof vendure, name: string) => String(store.about[name])
    return {
      floors: [
        {
          ...vendureFloor({ baseUrl: at(vendure, 'baseUrl'), apiKey: at(vendure, 'apiKey') }),
          version: vendure.version,
        },
        {
          ...medusaFloor({ baseUrl: at(medusa, 'baseUrl'), secretKey: at(medusa, 'secretKey') }),
          version: medusa.version,
        },
      ],
      close: async () => {
        await vendure.stop()
        await medusa.stop()
      },
    }
  })
})
