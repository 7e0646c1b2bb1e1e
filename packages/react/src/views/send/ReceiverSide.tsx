import type { Receiver } from '@latchkey/core'
import { useQuery } from '@tanstack/react-query'
import { formattedAddressQuery } from '../../app/queries/accountQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useContact } from '../../app/useContact.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { ProfilePicture } from '../../parts/ProfilePicture.tsx'
import { Tag } from '../../parts/Row.tsx'
import { AddressGroups } from '../detail/AddressGroups.tsx'
import styles from './SendPreview.module.css'

/** A whole address to compare, with its checksum once that is known. */
export function FormattedAddress({ address }: { address: string }) {
  const app = useApp()
  const chainId = useNetwork().network.caipNetworkId
  const { data } = useQuery(formattedAddressQuery(app, { address, chainId }), getQueryClient(app))
  return <AddressGroups address={data ?? address} />
}

export function ReceiverSide({ receiver: { name, address, imageUrl } }: { receiver: Receiver }) {
  const t = useT(enHoldings)
  const contact = useContact(address)
  return (
    <div className={styles.side}>
      <div>
        <p className={styles.label}>{t('preview.to')}</p>
        {name !== undefined && (
          <p className={styles.named}>
            <bdi translate="no">{name}</bdi>
          </p>
        )}
        {contact && (
          <p className={styles.named}>
            <bdi translate="no">{contact.name}</bdi> <Tag>{t('receiver.contact')}</Tag>
          </p>
        )}
        <p className={styles.address} translate="no">
          <FormattedAddress address={address} />
        </p>
      </div>
      <ProfilePicture address={address} imageUrl={imageUrl} size={40} />
    </div>
  )
}
