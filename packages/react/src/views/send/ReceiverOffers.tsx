import { type OfferedReceiver, offerReceivers, truncateAddress } from '@latchkey/core/internal'
import { useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { ProfilePicture } from '../../parts/ProfilePicture.tsx'
import { Row, Tag } from '../../parts/Row.tsx'
import styles from './ReceiverField.module.css'
import { useLatestTransactions } from './useLookalike.ts'

/**
 * The receivers to offer for what the user has typed. A response with the account's transactions
 * counts only while the field has the focus, so that it moves nothing under a pointer elsewhere.
 */
export function useOffers(typed: string) {
  const app = useApp()
  const { address = '' } = useAccount()
  const chainId = useNetwork().network.caipNetworkId
  const contacts = useAppState((state) => state.contacts)
  const latest = useLatestTransactions(address, chainId)
  const [transactions, setTransactions] = useState(latest)
  const [isFocused, setIsFocused] = useState(false)
  if (isFocused && transactions !== latest) setTransactions(latest)
  return {
    offers: offerReceivers(app, { chainId, typed, contacts, transactions }),
    setIsFocused,
  }
}

/** Contacts and addresses used before; a press fills in the address. */
export function ReceiverOffers({
  offers,
  onChoose,
}: {
  offers: readonly OfferedReceiver[]
  onChoose: (address: string) => void
}) {
  const t = useT(enHoldings)
  if (offers.length === 0) return null
  return (
    <ul className={styles.offers} aria-label={t('receiver.offers')}>
      {offers.map(({ address, name }) => {
        const short = <bdi translate="no">{truncateAddress(address)}</bdi>
        const isContact = name !== undefined
        return (
          <li key={address}>
            <Row
              start={<ProfilePicture address={address} size={40} />}
              label={isContact ? <bdi translate="no">{name}</bdi> : short}
              detail={isContact ? short : t('receiver.usedBefore')}
              end={isContact ? <Tag>{t('receiver.contact')}</Tag> : undefined}
              title={address}
              onClick={() => onChoose(address)}
            />
          </li>
        )
      })}
    </ul>
  )
}
