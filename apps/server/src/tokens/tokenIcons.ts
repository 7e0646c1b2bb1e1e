import { tokenSymbols } from '../media/readImages.ts'
import type { Services } from '../services.ts'

/** The URL of a token's picture by its symbol; empty if it has no picture. */
export type GetTokenIcon = (symbol: string) => string

export function createTokenIcons({ config }: Pick<Services, 'config'>): GetTokenIcon {
  const symbols = tokenSymbols()
  return (symbol) =>
    symbols.has(symbol.toLowerCase())
      ? `${config.publicUrl}/public/getTokenImage/${encodeURIComponent(symbol)}`
      : ''
}
