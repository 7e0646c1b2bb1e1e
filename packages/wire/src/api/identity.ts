import * as z from 'zod/mini'
import type { Route } from './route.ts'

const text = z.nullable(z.string())

/**
 * `GET /v1/identity/{address}`: the name an address has set for itself and that points back to it;
 * null if the address has no such name. `useCache` is for test projects, which do not exist here,
 * so it is refused.
 */
export const identityRoute = {
  method: 'GET',
  path: '/v1/identity/:address',
  query: z.object({
    projectId: z.string(),
    sender: z.optional(z.string()),
    useCache: z.optional(z.string()),
  }),
  result: z.object({ name: text, avatar: text, resolvedAt: text }),
} as const satisfies Route
export type Identity = {
  readonly name: string | null
  readonly avatar: string | null
  readonly resolvedAt: string | null
}

/**
 * `GET /v1/identity/name/{name}`: the address of a name on the requested network, or null.
 * `forceUpdate` reads it from the chain instead of the cache.
 */
export const nameAddressRoute = {
  method: 'GET',
  path: '/v1/identity/name/:name',
  query: z.object({
    projectId: z.string(),
    chainId: z.optional(z.string()),
    forceUpdate: z.optional(z.string()),
  }),
  result: z.object({ name: z.string(), address: text, avatar: text, resolvedAt: text }),
} as const satisfies Route

/**
 * `GET`: the avatar of an account or a name as an image, fetched by the server and safe to show in
 * an `img`.
 */
export const avatarPath = '/v1/identity/:address/avatar'
export const nameAvatarPath = '/v1/identity/name/:name/avatar'
