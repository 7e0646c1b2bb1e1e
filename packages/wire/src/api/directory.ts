import * as z from 'zod/mini'
import type { Route } from './route.ts'

const link = z.nullish(z.string())

/**
 * A wallet of the directory. `id` is 64 hex characters; links are base links, for example
 * `metamask://`.
 */
export const directoryWallet = z.object({
  id: z.string(),
  name: z.string(),
  homepage: link,
  image_id: z.string(),
  order: z.optional(z.number()),
  mobile_link: link,
  link_mode: link,
  desktop_link: link,
  webapp_link: link,
  /**
   * Opens a page in the wallet's own browser on a phone: `{url}` stands for the page's encoded
   * address, `{url2}` for the address encoded twice, `{page}` for its host and path.
   */
  dapp_link: link,
  app_store: link,
  play_store: link,
  chrome_store: link,
  rdns: link,
  injected: z.nullish(z.array(z.object({ namespace: z.string(), injected_id: z.string() }))),
  chains: z.array(z.string()),
  badge_type: z.optional(z.string()),
})
export type DirectoryWallet = z.infer<typeof directoryWallet>

const text = z.optional(z.string())

/** `GET /getWallets`: `count` is the number of all matches, not of this page. */
export const getWalletsRoute = {
  method: 'GET',
  path: '/getWallets',
  query: z.object({
    projectId: z.string(),
    page: z._default(z.string(), '1'),
    entries: z._default(z.string(), '40'),
    search: text,
    include: text,
    exclude: text,
    chains: text,
    badge_type: text,
    badge: text,
    names: text,
    rdns: text,
    platform: text,
  }),
  result: z.object({ count: z.number(), data: z.array(directoryWallet) }),
} as const satisfies Route
