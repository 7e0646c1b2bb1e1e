import { changeName, goBack, type OwnName, type Receiver, showToast } from '@latchkey/core'
import { isError } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { ownNamesQuery, refreshNames } from '../../app/nameQueries.ts'
import { getQueryClient } from '../../app/queries.ts'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useCopy } from '../../app/useCopy.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNamesT } from '../../locales/useNamesT.ts'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Notice } from '../../parts/Notice.tsx'
import { FactRow, Row, RowIcon } from '../../parts/Row.tsx'
import { SkeletonRows } from '../../parts/Skeleton.tsx'
import { ReceiverField } from '../send/ReceiverField.tsx'
import { useReceiver } from '../send/useReceiver.ts'
import viewStyles from '../view.module.css'
import type { ViewProps } from '../viewProps.ts'
import styles from './names.module.css'
import { getReason } from './RegisterAccountName.tsx'

/** One name of the account: what it says, giving it to another account, and giving it up. */
export function NameDetail({ view }: ViewProps<'NameDetail'>) {
  const app = useApp()
  const t = useNamesT()
  const { address } = useAccount()
  const { copied, copy } = useCopy()
  const query = useQuery(ownNamesQuery(app, { address }), getQueryClient(app))
  const own = query.data?.find(({ name }) => name === view.accountName)
  if (own === undefined) {
    if (query.isPending) return <SkeletonRows rows={3} label={t('shell.loading')} />
    return <Notice icon="tag" title={t(query.isError ? 'names.failed' : 'names.none')} />
  }
  const { name, addresses } = own
  return (
    <div className={viewStyles.column}>
      <Row
        start={<RowIcon name="tag" />}
        label={<bdi>{name}</bdi>}
        end={
          <>
            <Icon name={copied ? 'check' : 'copy'} size={16} />
            <span className={viewStyles.hidden} role="status">
              {copied && t('action.copied')}
            </span>
          </>
        }
        onClick={() => copy(name)}
      />
      {addresses.map((leadsTo) => (
        <FactRow
          key={leadsTo}
          start={<RowIcon name="wallet" />}
          label={t('name.leadsTo')}
          detail={<bdi className={styles.address}>{leadsTo}</bdi>}
        />
      ))}
      {addresses.length === 0 && (
        <FactRow
          start={<RowIcon name="alert" />}
          label={t('name.leadsTo')}
          detail={t('name.nowhere')}
        />
      )}
      <Attributes key={`${own.bio} ${own.avatar}`} own={own} />
      <Section title={t('name.give')}>
        <Give name={name} />
      </Section>
      <Section title={t('name.release')}>
        <p className={styles.note}>{t('name.releaseText', { name })}</p>
        <Change
          look="danger"
          change={{ name, release: true }}
          done={t('name.released')}
          label={t('name.releaseNow', { name })}
        />
      </Section>
    </div>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className={styles.section}>
    <summary>{title}</summary>
    <div className={styles.form}>{children}</div>
  </details>
)

function Attributes({ own }: { own: OwnName }) {
  const app = useApp()
  const t = useNamesT()
  const id = useId()
  const [bio, setBio] = useState(own.bio ?? '')
  const [avatar, setAvatar] = useState(own.avatar ?? '')
  const { run, status, error } = useAction(changeName)
  const isBusy = status === 'pending'
  const isSame = bio.trim() === (own.bio ?? '') && avatar.trim() === (own.avatar ?? '')
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || isSame) return
    const attributes = {
      ...(bio.trim() && { bio: bio.trim() }),
      ...(avatar.trim() && { avatar: avatar.trim() }),
    }
    try {
      await run({ name: own.name, attributes })
    } catch {
      return
    }
    showToast(app, { message: t('name.saved'), variant: 'success' })
    await refreshNames(app)
  }
  return (
    <form className={styles.form} noValidate onSubmit={save}>
      <label className={styles.label} htmlFor={`${id}-bio`}>
        {t('name.bio')}
      </label>
      <div className={styles.field}>
        <input
          id={`${id}-bio`}
          value={bio}
          maxLength={255}
          autoComplete="off"
          onChange={(event) => setBio(event.target.value)}
        />
      </div>
      <label className={styles.label} htmlFor={`${id}-avatar`}>
        {t('name.avatar')}
      </label>
      <div className={styles.field}>
        <input
          id={`${id}-avatar`}
          dir="ltr"
          value={avatar}
          maxLength={255}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setAvatar(event.target.value)}
        />
      </div>
      <p id={`${id}-hint`} className={styles.note}>
        {t('name.avatarHint')} {t('name.public')}
      </p>
      <Problem error={error} />
      <Button type="submit" look="quiet" busy={isBusy} aria-disabled={isSame || undefined}>
        {t('name.save')}
      </Button>
    </form>
  )
}

function Give({ name }: { name: string }) {
  const t = useNamesT()
  const [receiver, setReceiver] = useState<Receiver>({ address: '' })
  const { status, retry } = useReceiver({ receiver, onResolved: setReceiver })
  return (
    <>
      <p className={styles.note}>{t('name.giveText')}</p>
      <ReceiverField receiver={receiver} status={status} onChange={setReceiver} onRetry={retry} />
      <Change
        look="danger"
        change={status === 'ready' ? { name, to: receiver.address } : undefined}
        done={t('name.given')}
        label={t('name.giveTo', { name })}
      />
    </>
  )
}

/** A button for a change after which the name is no longer the account's; the wallet asks again before it signs. */
function Change({
  change,
  look,
  label,
  done,
}: {
  change: Parameters<typeof changeName>[1] | undefined
  look: 'danger'
  label: string
  done: string
}) {
  const app = useApp()
  const { run, status, error } = useAction(changeName)
  const act = async () => {
    if (change === undefined) return
    try {
      await run(change)
    } catch {
      return
    }
    showToast(app, { message: done, variant: 'success' })
    await refreshNames(app)
    goBack(app)
  }
  return (
    <>
      <Problem error={error} />
      <Button
        look={look}
        busy={status === 'pending'}
        aria-disabled={change === undefined || undefined}
        onClick={act}
      >
        {label}
      </Button>
    </>
  )
}

const Problem = ({ error }: { error: unknown }) => (
  <p className={viewStyles.problem} role="alert">
    {error !== undefined && !isError(error, 'USER_REJECTED') && getReason(error)}
  </p>
)
