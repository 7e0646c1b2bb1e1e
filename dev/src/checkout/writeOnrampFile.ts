import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkoutName } from './checkoutPage.ts'
import type { Sold } from './listSold.ts'

/** The checkout's id at the server. */
export const checkoutId = 'local'

/**
 * Writes the ONRAMP_FILE of the local server, which sells through the checkout at `url`. Returns
 * its path.
 */
export function writeOnrampFile(parameters: {
  url: string
  secret: Uint8Array
  sold: readonly Sold[]
  dataDir: string
}): string {
  const { url, secret, sold, dataDir } = parameters
  const chainIds = [...new Set(sold.map(({ chainId }) => chainId))]
  const assetsOf = (id: string) =>
    sold.filter(({ chainId }) => chainId === id).map(({ asset }) => asset)
  const checkout = {
    type: 'checkout',
    name: checkoutName,
    url: `${url}/buy?order={orderId}&to={address}&network={chainId}&asset={asset}&amount={amount}&currency={currency}&signature={signature}`,
    quoteUrl: `${url}/quote`,
    webhookSecret: `whsec_${Buffer.from(secret).toString('base64')}`,
    feePercent: { min: 1.5, max: 1.5 },
    assets: Object.fromEntries(chainIds.map((id) => [id, assetsOf(id)])),
  }
  const file = join(dataDir, 'onramp.json')
  const providers = { [checkoutId]: checkout }
  writeFileSync(file, JSON.stringify({ providers }, undefined, 2), { mode: 0o600 })
  return file
}
