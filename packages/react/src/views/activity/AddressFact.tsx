import { hasAddressForm, type Network } from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { formattedAddressQuery } from '../../app/queries/accountQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useCopyAddress } from '../../app/useCopyAddress.ts'
import { enActivityDetail } from '../../locales/activity/enActivityDetail.ts'
import { useT } from '../../locales/useT.ts'
import { IconButton } from '../../parts/Button.tsx'
import { AddressGroups } from '../detail/AddressGroups.tsx'
import views from '../view.module.css'
import styles from './ActivityDetail.module.css'

/**
 * A fact that is an address: with its checksum, in groups of four, its `owner` if the name is
 * known, and a button that copies it. Nothing if the address is empty; a provider is only named.
 */
export function AddressFact({
  name,
  copyLabel,
  address,
  network: { chainNamespace: namespace, caipNetworkId: chainId },
  owner,
  hint,
}: {
  name: string
  copyLabel: string
  address: string
  network: Network
  owner: string | undefined
  /** A description of the address, shown if it has no owner. */
  hint?: string | undefined
}) {
  const app = useApp()
  const t = useT(enActivityDetail)
  const { copied, copyAddress } = useCopyAddress()
  const isAddress = hasAddressForm({ namespace, text: address })
  const { data: formatted = address } = useQuery(
    { ...formattedAddressQuery(app, { address, chainId }), enabled: isAddress },
    getQueryClient(app),
  )
  if (address === '') return null
  if (!isAddress) {
    return (
      <div>
        <dt>{name}</dt>
        <dd>
          <bdi>{address}</bdi>
        </dd>
      </div>
    )
  }
  return (
    <div className={styles.party}>
      <dt>{name}</dt>
      <dd>
        <span className={styles.words}>
          {owner !== undefined && (
            <bdi className={styles.owner} translate="no">
              {owner}
            </bdi>
          )}
          <AddressGroups address={formatted} />
          {owner === undefined && hint !== undefined && <small>{hint}</small>}
        </span>
        <IconButton
          icon={copied ? 'check' : 'copy'}
          label={copyLabel}
          onClick={() => copyAddress(formatted)}
        />
        <span className={views.hidden} role="status">
          {copied && t('action.copied')}
        </span>
      </dd>
    </div>
  )
}
