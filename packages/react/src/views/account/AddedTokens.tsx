import {
  formatQuantity,
  getAddedTokens,
  removeAddedToken,
  truncateAddress,
} from '@latchkey/core/internal'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enAdded } from '../../locales/enAdded.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Picture } from '../../parts/Picture.tsx'
import { FactRow } from '../../parts/Row.tsx'
import styles from './AddedTokens.module.css'

type Added = Awaited<ReturnType<typeof getAddedTokens>>[number]

/**
 * The tokens that the user has added to the embedded wallet on this site, each with its balance,
 * its warning and a button that removes it. Draws nothing without such tokens.
 */
export function AddedTokens() {
  const app = useApp()
  const t = useT(enAdded)
  const { address } = useAccount()
  const { caipNetworkId: chainId } = useNetwork().network
  const queryKey = ['latchkey', 'added tokens', chainId, address]
  const client = getQueryClient(app)
  const { data, isError, refetch } = useQuery(
    { queryKey, queryFn: ({ signal }) => getAddedTokens(app, { chainId, signal }) },
    client,
  )
  const title = useRef<HTMLHeadingElement>(null)
  const [outcome, setOutcome] = useState({ text: '', isFailed: false })
  const remove = async (token: Added) => {
    const name = describeToken(token)
    try {
      await removeAddedToken(app, { chainId, address: token.address })
    } catch {
      return setOutcome({ text: t('added.removeFailed', { token: name }), isFailed: true })
    }
    client.setQueryData<readonly Added[]>(queryKey, (all) =>
      all?.filter((one) => one.address !== token.address),
    )
    setOutcome({ text: t('added.removed', { token: name }), isFailed: false })
    // The button that had the focus was removed.
    title.current?.focus()
  }
  if (isError && data === undefined)
    return (
      <div className={styles.failed} role="status">
        <p>{t('added.failed')}</p>
        <Button variant="quiet" icon="retry" onClick={() => refetch()}>
          {t('action.tryAgain')}
        </Button>
      </div>
    )
  if (!data?.length && outcome.text === '') return null
  return (
    <section className={styles.added} aria-labelledby="latchkey-added-tokens">
      <h3 id="latchkey-added-tokens" ref={title} tabIndex={-1} className={styles.title}>
        {t('added.title')}
      </h3>
      <p role={outcome.isFailed ? 'alert' : 'status'} className={styles.outcome}>
        {outcome.text}
      </p>
      <ul className={styles.list}>
        {data?.map((token) => (
          <AddedToken key={token.address} token={token} onRemove={() => remove(token)} />
        ))}
      </ul>
    </section>
  )
}

const getContract = ({ address }: Added) => address.split(':').at(-1) ?? ''

/** The token's name in messages: its symbol if that is trusted, and always its contract. */
const describeToken = (token: Added) =>
  [token.mark ? '' : (token.symbol ?? ''), truncateAddress(getContract(token))].join(' ').trim()

function AddedToken({ token, onRemove }: { token: Added; onRemove: () => void }) {
  const t = useT(enAdded)
  const { name, symbol, quantity, mark, iconUrl } = token
  const contract = getContract(token)
  const unnamed = t(mark === 'bait' ? 'added.hiddenName' : 'added.noName')
  return (
    <li className={styles.token}>
      <FactRow
        start={<Picture src={iconUrl ?? ''} name={symbol ?? ''} round />}
        label={<bdi translate="no">{name || symbol || unnamed}</bdi>}
        detail={
          <bdi translate="no" title={contract}>
            {[symbol, truncateAddress(contract)].filter(Boolean).join(' · ')}
          </bdi>
        }
        end={
          quantity && (
            <span className={styles.amount} translate="no" title={quantity.numeric}>
              {formatQuantity(quantity.numeric)}
            </span>
          )
        }
      />
      {mark && <p className={styles.warning}>{t(`added.${mark}`)}</p>}
      {!quantity && <p className={styles.warning}>{t('added.unread')}</p>}
      <Button
        variant="text"
        aria-label={t('added.removeToken', { token: describeToken(token) })}
        onClick={onRemove}
      >
        {t('added.remove')}
      </Button>
    </li>
  )
}
