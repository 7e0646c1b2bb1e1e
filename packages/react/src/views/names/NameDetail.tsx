import type { OwnName } from '@latchkey/core'
import { etherCoinType, fromCoinType, parseChainId } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ownNamesQuery } from '../../app/queries/nameQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useCopyAddress } from '../../app/useCopyAddress.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { useProfile } from '../../hooks/useProfile.ts'
import { enNames } from '../../locales/enNames.ts'
import { useT } from '../../locales/useT.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { FactRow, Row, RowIcon } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import viewStyles from '../view.module.css'
import type { ViewProps } from '../viewProps.ts'
import { Attributes, Give, NameChangeButton, Point } from './NameChanges.tsx'
import styles from './names.module.css'

/** A name of the account: records, transfer, release. */
export function NameDetail({ view }: ViewProps<'NameDetail'>) {
  const app = useApp()
  const t = useT(enNames)
  const { address } = useAccount()
  const { copied, copyAddress } = useCopyAddress()
  const query = useQuery(ownNamesQuery(app, { address }), getQueryClient(app))
  const nameNetworks = useNetworkNames()
  const own = query.data?.find(({ name }) => name === view.accountName)
  if (own === undefined) {
    if (query.isPending) return <SkeletonRows rows={3} label={t('shell.loading')} />
    return <EmptyState icon="tag" title={t(query.isError ? 'names.failed' : 'names.none')} />
  }
  const { name, addresses } = own
  return (
    <div className={viewStyles.column}>
      <Row
        start={<RowIcon name="tag" />}
        label={<bdi translate="no">{name}</bdi>}
        end={
          <>
            <Icon name={copied ? 'check' : 'copy'} size={16} />
            <span className={viewStyles.hidden} role="status">
              {copied && t('action.copied')}
            </span>
          </>
        }
        onClick={() => copyAddress(address, name)}
      />
      {addresses.toSorted(compare).map(({ address: leadsTo, coinTypes }) => (
        <FactRow
          key={leadsTo}
          start={<RowIcon name="wallet" />}
          label={
            addresses.length === 1
              ? t('name.leadsTo')
              : t('name.leadsToOn', { networks: nameNetworks(coinTypes) })
          }
          detail={
            <bdi translate="no" className={styles.address}>
              {leadsTo}
            </bdi>
          }
        />
      ))}
      {addresses.length === 0 && (
        <FactRow
          start={<RowIcon name="alert" />}
          label={t('name.leadsTo')}
          detail={t('name.nowhere')}
        />
      )}
      <Shown name={name} others={query.data ?? []} />
      <Attributes key={`${own.bio} ${own.avatar}`} own={own} />
      <Section title={t('name.point')}>
        <Point name={name} />
      </Section>
      <Section title={t('name.give')}>
        <Give name={name} />
      </Section>
      <Section title={t('name.release')}>
        <p className={styles.note}>{t('name.releaseText', { name })}</p>
        <NameChangeButton
          variant="danger"
          change={{ name, release: true }}
          done={t('name.released')}
          label={t('name.releaseNow', { name })}
        />
      </Section>
    </div>
  )
}

/** The address for all other networks comes last. */
const compare = (one: OwnName['addresses'][number], other: OwnName['addresses'][number]) =>
  Number(one.coinTypes.includes(etherCoinType)) - Number(other.coinTypes.includes(etherCoinType))

/**
 * Shows on which networks an address counts; Ethereum's coin type counts on all networks for which
 * a name has no other.
 */
function useNetworkNames() {
  const t = useT(enNames)
  const { network, networks } = useNetwork()
  const getName = (coinType: number) => {
    if (coinType === etherCoinType) return t('name.elsewhere')
    const reference = String(fromCoinType(coinType))
    const found = networks.find(
      ({ chainNamespace, caipNetworkId }) =>
        chainNamespace === network.chainNamespace &&
        parseChainId(caipNetworkId).reference === reference,
    )
    return found?.name ?? t('name.unknownNetwork', { id: reference })
  }
  // The address for all other networks comes last.
  return (coinTypes: readonly number[]) =>
    [...coinTypes]
      .sort((a, b) => b - a)
      .map(getName)
      .join(', ')
}

/** Whether the name is the account's primary name, and a button that makes it so. */
function Shown({ name, others }: { name: string; others: readonly OwnName[] }) {
  const t = useT(enNames)
  const { name: shown } = useProfile()
  if (shown === name)
    return (
      <FactRow
        start={<RowIcon name="check" />}
        label={t('name.isShown')}
        detail={t('name.isShownText')}
      />
    )
  const isOtherName = shown !== undefined && !others.some((own) => own.name === shown)
  return (
    <div className={styles.form}>
      <NameChangeButton
        variant="quiet"
        change={{ name, primary: true }}
        done={t('name.saved')}
        label={t('name.show')}
      />
      {isOtherName && <p className={styles.note}>{t('name.ensFirst', { name: shown })}</p>}
    </div>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className={styles.section}>
    <summary>{title}</summary>
    <div className={styles.form}>{children}</div>
  </details>
)
