import { pushView } from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { NftList } from './NftList.tsx'

/** The account's NFTs in the modal; each leads to its own view. */
export function NftsTab() {
  const app = useApp()
  return <NftList onChoose={(nft) => pushView(app, { name: 'NftDetail', nft })} />
}
