import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { parseUnits } from 'viem/utils'
import * as z from 'zod'
import { readConfig } from '../src/config.ts'
import { joinDatabase } from '../src/db/openDatabase.ts'

// Adds the prices in a file to those that the server recorded, which stay as they are:
// `node --import tsx apps/server/scripts/addPrices.ts FILE`. `npm start` calls this for new chains.
const histories = z.array(
  z.object({
    chainId: z.string(),
    token: z.string(),
    /** The price in dollars. */
    points: z.array(z.object({ atMs: z.number(), price: z.number().positive() })).min(1),
  }),
)

const [file = ''] = process.argv.slice(2)
const config = readConfig(process.env)
const database = await joinDatabase(config, pino({ level: 'silent' }), { isNew: false })
try {
  for (const { chainId, token, points } of histories.parse(JSON.parse(readFileSync(file, 'utf8'))))
    await database.background
      .insertInto('price_points')
      .values(
        points.map(({ atMs, price }) => ({
          ...{ chain_id: chainId, token, at: new Date(atMs) },
          price: String(parseUnits(price.toFixed(12), 18)),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
} finally {
  await database.close()
}
