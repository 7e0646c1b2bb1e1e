import * as z from 'zod/mini'
import type { Route } from './route.ts'

/** The most assets that the server lists for one account on one network. */
export const maxListedAssets = 250

/** Maximum number of tokens that a call may request by address. */
export const maxNamedAssets = 50

const address = z.string().check(z.regex(/^0x[0-9a-f]{40}$/i))

/**
 * An asset of an account. `address`: null for the native currency. `balance`: in smallest units.
 * `price`: in dollars, if known.
 */
const asset = z.object({
  address: z.nullable(address),
  balance: z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/)),
  name: z.string().check(z.maxLength(64)),
  symbol: z.string().check(z.maxLength(24)),
  decimals: z.int().check(z.minimum(0), z.maximum(255)),
  price: z.optional(z.number().check(z.minimum(0))),
  iconUrl: z.string().check(z.maxLength(2_048)),
})
export type ListedAsset = z.infer<typeof asset>

/**
 * Why a token's name is misleading. `copy`: it has the name or symbol of the network's currency or
 * of a listed token, at another address. `bait`: its name or symbol is a web address or a lure.
 */
export const tokenMark = z.enum(['copy', 'bait'])
export type TokenMark = z.infer<typeof tokenMark>

/**
 * `POST /api/assets`: the assets of an account on an EVM network, for signed-in users of the secure
 * frame, which passes them on to pages (`wallet_getAssets`). The native currency is first, then the
 * most valuable assets; further assets are left out. Approvals do not use it.
 */
export const readAssetsRoute = {
  method: 'POST',
  path: '/api/assets',
  body: z.strictObject({
    chainId: z.string().check(z.regex(/^eip155:[0-9]{1,32}$/)),
    address,
    /**
     * Tokens to return even if no token list contains them or the balance is 0. Those that are spam
     * are `suspects`.
     */
    tokens: z.optional(z.array(address).check(z.maxLength(maxNamedAssets))),
  }),
  result: z.object({
    assets: z.array(asset).check(z.maxLength(maxListedAssets)),
    /** Requested tokens that are spam, without a price. */
    suspects: z.optional(
      z.array(z.extend(asset, { mark: tokenMark })).check(z.maxLength(maxNamedAssets)),
    ),
  }),
} as const satisfies Route
