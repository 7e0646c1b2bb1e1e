import {
  changeReviewedName,
  goBack,
  type OwnName,
  type Receiver,
  showToast,
} from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { type FormEvent, useId, useState } from 'react'
import { refreshNames } from '../../app/queries/nameQueries.ts'
import { useAction } from '../../app/useAction.ts'
import { useApp } from '../../app/useApp.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enNames } from '../../locales/enNames.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { ReceiverField } from '../send/ReceiverField.tsx'
import { useReceiver } from '../send/useReceiver.ts'
import viewStyles from '../view.module.css'
import styles from './names.module.css'

export function Attributes({ own }: { own: OwnName }) {
  const app = useApp()
  const t = useT(enNames)
  const id = useId()
  const [bio, setBio] = useState(own.bio ?? '')
  const [avatar, setAvatar] = useState(own.avatar ?? '')
  const { mutateAsync: run, status, error } = useAction(changeReviewedName)
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
      <Button type="submit" variant="quiet" busy={isBusy} aria-disabled={isSame || undefined}>
        {t('name.save')}
      </Button>
    </form>
  )
}

/**
 * Points the name to another address on the selected network; its addresses elsewhere stay as they
 * are.
 */
export function Point({ name }: { name: string }) {
  const t = useT(enNames)
  const { network } = useNetwork()
  const { address, field } = useReceiverField()
  const chainId = network.caipNetworkId
  return (
    <>
      <p className={styles.note}>{t('name.pointText', { network: network.name })}</p>
      {field}
      <NameChangeButton
        variant="quiet"
        change={address === undefined ? undefined : { name, chainId, address }}
        done={t('name.saved')}
        label={t('name.pointNow', { network: network.name })}
      />
    </>
  )
}

export function Give({ name }: { name: string }) {
  const t = useT(enNames)
  const { address, field } = useReceiverField()
  return (
    <>
      <p className={styles.note}>{t('name.giveText')}</p>
      {field}
      <NameChangeButton
        variant="danger"
        change={address === undefined ? undefined : { name, to: address }}
        done={t('name.given')}
        label={t('name.giveTo', { name })}
      />
    </>
  )
}

/**
 * A button for a change after which the list of names is shown; the wallet prompts again before it
 * signs.
 */
export function NameChangeButton({
  change,
  variant,
  label,
  done,
}: {
  change: Parameters<typeof changeReviewedName>[1] | undefined
  variant: 'danger' | 'quiet'
  label: string
  done: string
}) {
  const app = useApp()
  const { mutateAsync: run, status, error } = useAction(changeReviewedName)
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
        variant={variant}
        busy={status === 'pending'}
        aria-disabled={change === undefined || undefined}
        onClick={act}
      >
        {label}
      </Button>
    </>
  )
}

function Problem({ error }: { error: unknown }) {
  const getMessage = useErrorMessage()
  const t = useT(enNames)
  return (
    <p className={viewStyles.problem} role="alert">
      {error !== null && (isError(error, 'USER_REJECTED') ? t('name.declined') : getMessage(error))}
    </p>
  )
}

/** The field of an address or a name, and the address once it is known. */
function useReceiverField() {
  const [receiver, setReceiver] = useState<Receiver>({ address: '' })
  const { status, reason, retry } = useReceiver({ receiver, onResolved: setReceiver })
  const field = (
    <ReceiverField
      receiver={receiver}
      status={status}
      reason={reason}
      onChange={setReceiver}
      onRetry={retry}
    />
  )
  return { address: status === 'ready' ? receiver.address : undefined, field }
}
