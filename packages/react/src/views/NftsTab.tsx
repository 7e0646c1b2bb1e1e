import { useT } from '../hooks/useT.ts'
import { Notice } from '../parts/Notice.tsx'

/** The account's NFTs on the selected network. */
export function NftsTab() {
  const t = useT()
  return <Notice icon="image" title={t('account.nftsLater')} />
}
