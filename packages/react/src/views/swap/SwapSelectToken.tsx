import {
  goBack,
  hasAddressForm,
  type SwapToken,
  setSwapDraft,
  truncateAddress,
} from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getQueryClient } from '../../app/queries/queries.ts'
import { swapTokensQuery } from '../../app/queries/swapQueries.ts'
import { useApp } from '../../app/useApp.ts'
import { useDebounced } from '../../app/useDebounced.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailedState } from '../../parts/FailedState.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { Row, Tag } from '../../parts/Row.tsx'
import { Search } from '../../parts/Search.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { TokenRow } from '../account/Tokens.tsx'
import view from '../view.module.css'
import type { ViewProps } from '../viewProps.ts'
import { fillMaxSwap } from './fillMaxSwap.ts'
import warnings from './SwapWarnings.module.css'
import { isSameToken, toSwapToken } from './swapForm.ts'
import { useSwapForm } from './useSwapForm.ts'

const searchWaitMs = 200

/**
 * Selects a token to pay with or to receive: the account's own first, then the network's lists, and
 * any by its address.
 */
export function SwapSelectToken({ view: { side } }: ViewProps<'SwapSelectToken'>) {
  const app = useApp()
  const t = useT(enSwap)
  const { caipNetworkId: chainId, chainNamespace: namespace } = useNetwork().network
  const { from, to } = useSwapForm()
  const { data: balances = [], isLoading } = useBalances()
  const [typed, setTyped] = useState('')
  const word = typed.trim().toLowerCase()
  const settled = useDebounced(word, searchWaitMs)
  const address = hasAddressForm({ namespace, text: settled }) ? settled : undefined
  const list = useQuery(swapTokensQuery(app, { chainId }), getQueryClient(app))
  const pasted = useQuery(
    { ...swapTokensQuery(app, { chainId, address }), enabled: address !== undefined },
    getQueryClient(app),
  )
  const choose = (token: SwapToken) => {
    const other = side === 'from' ? to : from
    // The token of the other side: the two change places.
    const isFlip = other !== undefined && isSameToken(token, other)
    const before = side === 'from' ? from : to
    const isSame = before !== undefined && isSameToken(token, before)
    if (isFlip) setSwapDraft(app, { from: to, to: from, amount: '' })
    else if (side === 'to') chooseReceived(token)
    // An amount of a token makes no sense for another token.
    else setSwapDraft(app, isSame ? { from: token } : { from: token, amount: '' })
    goBack(app)
  }
  const chooseReceived = (token: SwapToken) => {
    const { isMax } = app.store.getState().swapDraft
    // The native currency may now have to cover a fee that was sponsored before, or the other way
    // round.
    const isOtherPair = isMax && from && !from.address && !(to && isSameToken(token, to))
    setSwapDraft(app, { from, to: token, ...(isOtherPair && { amount: '' }) })
    // If it fails, the form prompts for an amount.
    if (isOtherPair) fillMaxSwap(app, from).catch(() => {})
  }
  const matches = ({ name, symbol, address: own }: SwapToken) =>
    `${name} ${symbol}`.toLowerCase().includes(word) || own?.toLowerCase() === word
  const owned = balances
    .map((balance) => ({ balance, token: toSwapToken(balance) }))
    .filter(({ token }) => matches(token))
  const isOwned = (token: SwapToken) => balances.some((one) => isSameToken(toSwapToken(one), token))
  const listed = (list.data ?? []).filter((token) => matches(token) && !isOwned(token))
  const isListed = (token: SwapToken) => list.data?.some((one) => isSameToken(one, token)) === true
  const strangers = (address ? (pasted.data ?? []) : [])
    .filter((token) => !isOwned(token) && !isListed(token))
    .map((token) => ({ ...token, isUnlisted: true }))
  const isLooking =
    isLoading || list.isPending || word !== settled || (address !== undefined && pasted.isPending)
  const isEmpty = owned.length + listed.length + strangers.length === 0
  const failed = list.isError ? list : address !== undefined && pasted.isError ? pasted : undefined
  return (
    <div className={view.column}>
      <Search label={t('swap.search')} value={typed} onChange={setTyped} />
      {owned.length > 0 && <h3 className={view.group}>{t('swap.own')}</h3>}
      <ul className={view.list} aria-label={t('swap.own')} hidden={owned.length === 0}>
        {owned.map(({ balance, token }) => (
          <li key={token.address ?? 'native'}>
            <TokenRow
              balance={balance}
              onChoose={() =>
                choose({ ...token, ...(isStranger(token, list.data) && { isUnlisted: true }) })
              }
            />
          </li>
        ))}
      </ul>
      {listed.length + strangers.length > 0 && <h3 className={view.group}>{t('swap.listed')}</h3>}
      <ul
        className={view.list}
        aria-label={t('swap.listed')}
        hidden={listed.length + strangers.length === 0}
      >
        {[...strangers, ...listed].map((token) => (
          <li key={token.address ?? 'native'}>
            <Row
              start={<Picture src={token.iconUrl} name={token.symbol} round />}
              label={token.name}
              detail={
                <span title={token.address}>
                  <span translate="no">{token.symbol}</span>
                  {token.address && (
                    <span translate="no">{` · ${truncateAddress(token.address)}`}</span>
                  )}
                </span>
              }
              end={'isUnlisted' in token && <Tag tone="danger">{t('swap.unlistedTag')}</Tag>}
              onClick={() => choose(token)}
            />
          </li>
        ))}
      </ul>
      {strangers.map(({ symbol, address: own = '' }) => (
        <p key={own} className={warnings.notice} data-tone="warn">
          {t('swap.unlisted', { symbol, address: own })}
        </p>
      ))}
      {isLooking && <SkeletonRows rows={3} label={t('shell.loading')} />}
      {failed && !isLooking && (
        <FailedState title={t('swap.tokensFailed')} retry={() => failed.refetch()} />
      )}
      {!isLooking && !failed && isEmpty && (
        <EmptyState icon="search" title={address ? t('swap.noToken') : t('selectToken.empty')}>
          {address ? t('swap.noTokenHint') : t('swap.noMatchHint')}
        </EmptyState>
      )}
    </div>
  )
}

/** Whether a held token is on none of the known lists. */
const isStranger = (token: SwapToken, listed: readonly SwapToken[] | undefined) =>
  listed !== undefined && !listed.some((one) => isSameToken(one, token))
