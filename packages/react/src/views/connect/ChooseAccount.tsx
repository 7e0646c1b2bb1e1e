import type { Account, AccountChoice } from '@latchkey/core'
import { truncateAddress } from '@latchkey/core/internal'
import { useEffect, useState } from 'react'
import { enConnecting } from '../../locales/enConnecting.ts'
import { useT } from '../../locales/useT.ts'
import { Avatar } from '../../parts/Avatar.tsx'
import { Button } from '../../parts/Button.tsx'
import { Row } from '../../parts/Row.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import styles from '../view.module.css'
import { useConnectErrorText } from './connectErrorText.ts'

/** How many accounts are read at once. */
const PAGE = 5

/**
 * A device's accounts, for the user to choose from. They are read individually, because the device
 * derives them individually.
 */
export function ChooseAccount({ choice, name }: { choice: AccountChoice; name: string }) {
  const t = useT(enConnecting)
  const [group, setGroup] = useState(choice.groups[0] ?? '')
  return (
    <div className={styles.column}>
      <p className={styles.intro}>{t('choose.hint', { name })}</p>
      <Segments
        label={t('choose.groups')}
        value={group}
        onChange={setGroup}
        tabs={choice.groups.map((value) => ({ value, label: value }))}
      >
        <Accounts key={group} choice={choice} group={group} name={name} />
      </Segments>
    </div>
  )
}

function Accounts({ choice, group, name }: { choice: AccountChoice; group: string; name: string }) {
  const t = useT(enConnecting)
  const getErrorText = useConnectErrorText()
  const { accounts, error, isDone, readMore } = useAccounts(choice, group)
  return (
    <>
      <ul className={styles.list} aria-label={t('choose.list')}>
        {accounts.map((account, index) => (
          <li key={account.address}>
            <Row
              start={<Avatar address={account.address} size={40} />}
              label={t('choose.account', { number: index + 1 })}
              detail={<Shortened address={account.address} />}
              onClick={() => choice.choose(account)}
            />
          </li>
        ))}
      </ul>
      {!isDone && !error && <SkeletonRows rows={1} label={t('choose.reading')} />}
      {error !== undefined && (
        <div className={styles.inlineError} role="alert">
          <span>{getErrorText(error, name).hint}</span>
          <Button variant="text" onClick={readMore}>
            {t('action.tryAgain')}
          </Button>
        </div>
      )}
      {isDone && (
        <div className={styles.act}>
          <Button variant="quiet" onClick={readMore}>
            {t('choose.more')}
          </Button>
        </div>
      )}
    </>
  )
}

/** Reads a page of accounts. Each `readMore` reads the next page, or continues after an error. */
function useAccounts(choice: AccountChoice, group: string) {
  const [accounts, setAccounts] = useState<readonly Account[]>([])
  const [wanted, setWanted] = useState(PAGE)
  const [failed, setFailed] = useState<{ error: unknown }>()
  const index = accounts.length
  const isDone = index >= wanted
  useEffect(() => {
    if (isDone || failed) return
    let isLeft = false
    choice.read({ group, index }).then(
      (account) => isLeft || setAccounts((known) => [...known, account]),
      (error: unknown) => isLeft || setFailed({ error }),
    )
    return () => {
      isLeft = true
    }
  }, [choice, group, index, isDone, failed])
  const readMore = () => {
    if (failed) setFailed(undefined)
    else setWanted(index + PAGE)
  }
  return { accounts, isDone, readMore, error: failed?.error }
}

const Shortened = ({ address }: { address: string }) => (
  <bdi translate="no" title={address}>
    {truncateAddress(address)}
  </bdi>
)
