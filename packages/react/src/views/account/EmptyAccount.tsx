import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enActivity } from '../../locales/enActivity.ts'
import { useT } from '../../locales/useT.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FaucetButton } from './FaucetButton.tsx'

/** The list of an account without assets on the network, with test money if there is any. */
export function EmptyAccount() {
  const t = useT(enActivity)
  const { name } = useNetwork().network
  const { faucet } = useAppCapabilities()
  return (
    <EmptyState icon="coins" title={t('first.title')} action={<FaucetButton />}>
      {t(faucet ? 'first.hintFaucet' : 'first.hint', { network: name })}
    </EmptyState>
  )
}
