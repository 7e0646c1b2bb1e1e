import type { ChainId } from '@latchkey/wire'
import type { Config } from '../config.ts'
import { hashContent } from '../media/pictures.ts'
import type { Avatar } from './checkAvatar.ts'

/** The owner of an avatar: an account, or a name on a network. */
export type AvatarOwner =
  | { readonly address: string }
  | { readonly name: string; readonly chainId: ChainId | undefined }

/**
 * The URL of an avatar on this server, so that no browser contacts a third party. A new picture has
 * a new URL.
 */
export function getAvatarUrl(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  avatar: Avatar | null,
  bearer: AvatarOwner,
): string | null {
  if (avatar === null || 'shownAt' in avatar) return avatar?.shownAt ?? null
  const v = ('kept' in avatar ? avatar.kept : hashContent(avatar.url)).slice(0, 12)
  const base = `${publicUrl}/v1/identity`
  if ('address' in bearer) return `${base}/${bearer.address}/avatar?v=${v}`
  const chain = bearer.chainId === undefined ? '' : `chainId=${bearer.chainId}&`
  return `${base}/name/${encodeURIComponent(bearer.name)}/avatar?${chain}v=${v}`
}
