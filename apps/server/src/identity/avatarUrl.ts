import { nftImagePath } from '@latchkey/wire'
import type { Config } from '../config.ts'
import type { Avatar } from './checkAvatar.ts'

/**
 * Where our own server shows an avatar, so that nobody's browser asks a third party; `of` is the account, or `name/` and
 * the name, that it belongs to.
 */
export function avatarUrl(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { avatar, of, projectId, chainId }: Shown,
): string {
  const query = new URLSearchParams({ projectId })
  if ('nft' in avatar) return `${publicUrl}${imagePath(avatar.nft)}?${query}`
  if (chainId !== undefined) query.set('chainId', chainId)
  return `${publicUrl}/v1/identity/${of}/avatar?${query}`
}

type Shown = {
  readonly avatar: Avatar
  readonly of: string
  readonly projectId: string
  readonly chainId?: string | undefined
}

const imagePath = (nft: { chainId: string; contract: string; tokenId: string }) =>
  nftImagePath
    .replace(':chainId', nft.chainId)
    .replace(':contract', nft.contract)
    .replace(':tokenId', nft.tokenId)
